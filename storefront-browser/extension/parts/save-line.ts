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
      const refused = await changeCart(cart, "/change", { id: item["key"], quantity: 0 }, saved);
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
    const refused = await changeCart(cart, "/add", { items: [{ id: Number(variantId), quantity, properties }] });
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
 * @param saved what the shopper can undo then
 * @returns the store's reason for a refusal, or ""
 * @throws when the store did not respond
 */
async function changeCart(cart: Cart, action: string, body: Fields, saved?: Saved): Promise<string> {
  const before = cart.lines().length;
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
  if (resource) announce(resource);
  for (let waited = 0; waited < LONGEST && cart.lines().length === before; waited += STEP) {
    await new Promise((resolve) => setTimeout(resolve, STEP));
  }
  if (cart.lines().length === before) {
    remember(UNDO, saved ? JSON.stringify(saved) : "");
    location.reload();
  } else if (saved) {
    sayDone(cart, saved);
  }
  return "";
}

function sectionsOf(): { id: string; section?: string; selector?: string }[] {
  try {
    return every<ThemeCart>("cart-items,cart-drawer-items").flatMap((one) => one.getSectionsToRender?.() ?? []);
  } catch {
    // The theme's failure: the page is loaded anew.
    return [];
  }
}

/** Tells the theme that the cart has changed. */
function announce(resource: Fields): void {
  const itemCount = Number(resource["item_count"]);
  for (const one of every("cart-items,cart-drawer,cart-drawer-items")) one.classList.toggle("is-empty", !itemCount);
  const detail = { resource, sourceId: "wishlist", data: { itemCount, source: "wishlist" } };
  // Horizon's and its relatives', Maestrooo's, Archetype's.
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
