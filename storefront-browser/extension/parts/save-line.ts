// Saves a line of the cart for later: a module that the first press imports.
import { fields, isFields, text, type Fields } from "../../shared/checked.ts";
import { create } from "../../shared/create.ts";
import { include } from "../../shared/saved-list.ts";
import { recall, remember, UNDO } from "../../shared/session.ts";
import { every } from "../dom.ts";

const { change, refuse, say, send, setup } = wishlistCore;

/** Milliseconds that a theme has for showing the changed cart. */
const LONGEST = 1500;
const STEP = 50;

/** The theme's cart, as `later.ts` knows it. */
export interface Cart {
  /** the elements that show its lines */
  lines: () => HTMLElement[];
  /** the path of an action of the Ajax cart */
  path: (action: string) => string;
  read: () => Promise<Fields>;
  /** the item that a line shows; undefined if it can't be saved or is not in the cart any more */
  find: (line: Element) => Promise<Fields | undefined>;
}

/** What was saved: the line, and what its item was before. */
interface Saved {
  productId: string;
  variantId: string;
  quantity: number;
  properties: Fields;
  outcome: string;
  before: Fields;
}

/** The last change of the cart: concurrent changes would overwrite each other. */
let last = Promise.resolve();

function save(cart: Cart, line: HTMLElement): Promise<void> {
  return (last = last.then(() => saveLine(cart, line)));
}

/** Saves a line and then removes it, so that no failure loses it. */
async function saveLine(cart: Cart, line: HTMLElement): Promise<void> {
  try {
    // The cart may have changed in another tab, and with it the keys of its lines.
    const item = await cart.find(line);
    if (!item) {
      say(setup("laterChanged"));
      return;
    }
    const [productId, variantId] = [text(item["product_id"]), text(item["variant_id"])];
    const body = { productId, variantId, quantity: Number(item["quantity"]), properties: fields(item["properties"]) };
    const { data, status, error } = await send("saveLine", body, (next, { outcome, itemCount }) => {
      if (outcome !== "differs") include(next, productId, [variantId], text(item["handle"]));
      return Number(itemCount);
    });
    if (!data) {
      if (status === 400) say(setup("laterInvalid"));
      else await refuse(error);
    } else if (data["outcome"] === "differs") {
      say(setup("laterDiffers"));
    } else {
      const saved = { ...body, outcome: text(data["outcome"]), before: fields(data["before"]) };
      const refused = await changeCart(cart, "/change", { id: item["key"], quantity: 0 }, saved, true);
      if (refused) {
        await takeBack(saved);
        say(refused);
      }
    }
  } catch {
    // Whether the line is still in the cart is not known: it is in the list at least.
    await refuse({});
  }
}

/** Brings the list back to what it was. */
async function takeBack({ productId, variantId, outcome, before }: Saved): Promise<void> {
  const { quantity, properties } = before;
  if (outcome === "added") await change("remove", { id: productId, handle: "", variant: variantId });
  if (outcome === "updated") {
    await send("updateListItem", { productId, variant_id: variantId, quantity, properties }, (next) => next.count);
  }
}

/** Puts the line into the cart again, and then takes the save back. */
async function undo(cart: Cart, saved: Saved): Promise<void> {
  const { variantId, quantity, properties } = saved;
  try {
    const refused = await changeCart(
      cart,
      "/add",
      { items: [{ id: Number(variantId), quantity, properties }] },
      saved,
      false,
    );
    if (refused) say(refused);
    else await takeBack(saved);
  } catch {
    await refuse({});
  }
}

/** The cart of Dawn and of themes made from it: it names the sections that show the cart, and where. */
interface ThemeCart extends HTMLElement {
  getSectionsToRender?: () => { id: string; section?: string; selector?: string }[];
}

/**
 * Changes the cart and lets the theme show it; a page that does not is loaded anew.
 * @param saved what leaves the cart or comes back
 * @param isRemoval the shopper can undo it then
 * @returns the store's reason for a refusal, or ""
 * @throws when the store did not respond
 */
async function changeCart(cart: Cart, action: string, body: Fields, saved: Saved, isRemoval: boolean): Promise<string> {
  const isShown = watchLines(cart);
  const shown = sectionsOf();
  const sections = [...new Set(shown.map(({ id, section = id }) => section))];
  const response = await fetch(cart.path(action), {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify({ ...body, ...(sections[0] && { sections, sections_url: location.pathname }) }),
  });
  const changed = fields(await response.json().catch(() => undefined));
  if (!response.ok) return text(changed["description"]) || setup("failed");
  for (const { id, section = id, selector = ".shopify-section" } of shown) {
    const html = text(fields(changed["sections"])[section]);
    const fresh = new DOMParser().parseFromString(html, "text/html").querySelector(selector);
    const place = document.getElementById(id);
    if (fresh) (place?.querySelector(selector) ?? place)?.replaceChildren(...fresh.childNodes);
  }
  const resource = await cart.read().catch(() => undefined);
  if (resource) announce(resource, saved, isRemoval ? "remove" : "update");
  for (let waited = 0; waited < LONGEST && !isShown(); waited += STEP) {
    await new Promise((resolve) => setTimeout(resolve, STEP));
  }
  if (!isShown()) {
    remember(UNDO, isRemoval ? JSON.stringify(saved) : "");
    location.reload();
  } else if (isRemoval) {
    sayDone(cart, saved);
  }
  return "";
}

/** Returns a function that tells whether each place with lines shows another number of them: a drawer may change and the page stay as it was. */
function watchLines(cart: Cart): () => boolean {
  const placeOf = (line: Element): Element => line.closest("form,dialog,[id^=shopify-section]") ?? document.body;
  const count = (place: Element): number => cart.lines().filter((line) => place.contains(line)).length;
  const before = cart.lines().map((line) => [placeOf(line), count(placeOf(line))] as const);
  return () =>
    before[0]
      ? before.every(([place, lines]) => !place.isConnected || count(place) !== lines)
      : cart.lines().length > 0;
}

function sectionsOf(): { id: string; section?: string; selector?: string }[] {
  try {
    return every<ThemeCart>("cart-items,cart-drawer-items").flatMap((one) => one.getSectionsToRender?.() ?? []);
  } catch {
    // The theme's failure: the page is loaded anew.
    return [];
  }
}

/** Tells the theme that the cart has changed. @param action not `add`: themes open the cart after it, and the app reports what was added */
function announce(resource: Fields, { variantId, quantity }: Saved, action: "remove" | "update"): void {
  const itemCount = Number(resource["item_count"]);
  for (const one of every("cart-items,cart-drawer,cart-drawer-items")) one.classList.toggle("is-empty", !itemCount);
  const detail = { resource, sourceId: "wishlist", data: { itemCount, source: "wishlist" } };
  const lines = [{ merchandiseId: `gid://shopify/ProductVariant/${variantId}`, quantity }];
  const standard = { id: `gid://shopify/Cart/${text(resource["token"])}`, totalQuantity: itemCount };
  const promise = Promise.resolve({ cart: standard, detail: { itemCount } });
  const update = Object.assign(new Event("shopify:cart:lines-update", { bubbles: true }), {
    action,
    context: "cart",
    lines,
    promise,
  });
  document.documentElement.dispatchEvent(update);
  // Those of themes older than the standard event: Horizon's and its relatives', Maestrooo's, Archetype's.
  for (const name of ["cart:update", "cart:refresh", "cart:build"]) {
    document.documentElement.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }));
  }
}

/** Only this script writes the key. */
function isSaved(value: unknown): value is Saved {
  return isFields(value);
}

function sayDone(cart: Cart, saved: Saved): void {
  const [region] = every(".whl-message");
  // Nothing is above a modal dialog but what is in it.
  const dialog = every("dialog:modal")[0];
  if (region) (dialog ?? document.body).append(region);
  if (region) dialog?.addEventListener("close", () => document.body.append(region), { once: true });
  say(setup("laterDone"), setup("page"), setup("view"));
  const onclick = (): void => {
    region?.replaceChildren();
    last = last.then(() => undo(cart, saved));
  };
  region?.append(" ", create("button", { type: "button", textContent: setup("undo"), onclick }));
}

/** Offers to undo a save before the page was loaded anew. */
function resume(cart: Cart): void {
  const saved: unknown = JSON.parse(recall(UNDO) || "0");
  remember(UNDO, "");
  if (isSaved(saved)) sayDone(cart, saved);
}

export default { save, resume };
