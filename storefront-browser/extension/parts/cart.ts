// Reports saved variants that shoppers add to the cart outside of the wishlist page.
import { fields, idOf, list, text } from "../../shared/checked.ts";
import { recall, remember } from "../../shared/session.ts";
import { on } from "../dom.ts";

const { send, wishlist } = wishlistCore;

/** In sessionStorage: the saved variants of a form that is being sent, over the page that the form leads to. */
const PENDING = "wishlist:cart";

/** Carts and variants that were reported on this page. */
const reported = new Set<string>();

/** Watches the theme's ways of adding to the cart. Without a saved variant no request is made. */
function followCart(): void {
  on("shopify:cart:lines-update", ({ action, lines, promise }) => {
    if (action !== "add") return;
    // The event tells the outcome: the cart need not be read.
    remember(PENDING, "");
    const variants = lines.map(({ merchandiseId }) => idOf(merchandiseId));
    promise
      ?.then(({ cart, userErrors = [] }) => {
        if (cart && userErrors.length === 0) report(cart.id, variants);
      })
      .catch(() => undefined);
  });
  on("submit", ({ target }) => {
    if (!(target instanceof HTMLFormElement) || !target.action.includes("/cart/add")) return;
    remember(PENDING, new FormData(target).getAll("id").map(text).filter(isSaved).join());
  });
  new PerformanceObserver((entries) => {
    if (entries.getEntries().some(({ name }) => name.includes("/cart/add"))) compare();
  }).observe({ type: "resource" });
  // The form may have led to this page.
  compare();
}

/** Reports the pending variants that are in the cart. */
function compare(): void {
  const variants = recall(PENDING).split(",").filter(isSaved);
  remember(PENDING, "");
  if (variants.length === 0) return;
  fetch(`${window.Shopify?.routes?.root ?? "/"}cart.js`)
    .then(async (response) => {
      const { token, items } = fields(await response.json());
      const inCart = list(items).map((item) => text(fields(item)["variant_id"]));
      report(
        text(token),
        variants.filter((variant) => inCart.includes(variant)),
      );
    })
    .catch(() => undefined);
}

/** Reports each variant once for a cart, as the service counts it. A failed report is not worth a message to the shopper. */
function report(cart: string, variants: readonly string[]): void {
  const { saved } = wishlist();
  const eventId = idOf(cart);
  const items = Object.entries(saved).flatMap(([productId, { v }]) =>
    v
      .filter((one) => variants.includes(one) && reported.size < reported.add(eventId + one).size)
      .map((variant) => ({ product_id: productId, variant_id: variant })),
  );
  if (items.length > 0) void send("recordCart", { event_id: eventId, items }, () => undefined);
}

function isSaved(variant: string): boolean {
  return Object.values(wishlist().saved).some(({ v }) => v.includes(variant));
}

followCart();
