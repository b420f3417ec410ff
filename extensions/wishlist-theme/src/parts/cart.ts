import { fields, list, tail, text } from "../checked.ts";
import { on } from "../page.ts";
import { root } from "../shopify.ts";

const { send, wishlist } = wishlistCore;

/** Where the variants of a form wait until they are in the cart, over the page that the form leads to. */
const PENDING = "wishlist:cart";

/** Reported on this page: cart and variant. (What is added for the first time makes it larger.) */
const reported = new Set<string>();

/** Reports saved variants that go into the cart. Where nothing saved is involved, nothing is asked or sent. */
function followCart(): void {
  on("shopify:cart:lines-update", ({ action, lines, promise }) => {
    if (action !== "add") return;
    // The theme says what becomes of it: no need to look into the cart.
    pending("");
    const variants = lines.map(({ merchandiseId }) => tail(merchandiseId));
    promise
      ?.then(({ cart, userErrors = [] }) => {
        if (cart && userErrors.length === 0) report(cart.id, variants);
      })
      .catch(() => undefined);
  });
  on("submit", ({ target }) => {
    if (!(target instanceof HTMLFormElement) || !target.action.includes("/cart/add")) return;
    pending(new FormData(target).getAll("id").map(text).filter(isSaved).join());
  });
  new PerformanceObserver((entries) => {
    if (entries.getEntries().some(({ name }) => name.includes("/cart/add"))) compare();
  }).observe({ type: "resource" });
  // The form may have led to this page.
  compare();
}

/** Looks whether what is pending has come into the cart. */
function compare(): void {
  const variants = pending("").split(",").filter(isSaved);
  if (variants.length === 0) return;
  fetch(`${root()}cart.js`)
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

/** Once for each variant and cart; the service counts it once, too. A figure is not worth a message to the shopper. */
function report(cart: string, variants: readonly string[]): void {
  const { saved } = wishlist();
  const eventId = tail(cart);
  const items = Object.entries(saved).flatMap(([productId, { v }]) =>
    v
      .filter((one) => variants.includes(one) && reported.size < reported.add(eventId + one).size)
      .map((variantId) => ({ productId, variantId })),
  );
  if (items.length > 0) void send("cart", { eventId, items }, () => undefined);
}

function isSaved(variant: string): boolean {
  return Object.values(wishlist().saved).some(({ v }) => v.includes(variant));
}

/** Keeps what is pending, and gives what was. Where there is no storage the report is lost with the page. */
function pending(next: string): string {
  try {
    const before = sessionStorage.getItem(PENDING) ?? "";
    // Nothing is left in the browser of somebody who puts nothing saved into the cart.
    if (next !== before) sessionStorage.setItem(PENDING, next);
    return before;
  } catch {
    return "";
  }
}

followCart();
