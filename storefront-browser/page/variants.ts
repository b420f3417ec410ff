import type { Fields } from "../shared/checked.ts";
import { create } from "../shared/create.ts";
import { exclude, include } from "../shared/saved-list.ts";
import { showVariant } from "./alerts.ts";
import { cardOf, find, listOf, rootOf } from "./dom.ts";
import { detailsOf, itemOf, keepDetails, keepItem } from "./items.ts";
import { load } from "./loading.ts";
import { fail, say } from "./messages.ts";
import { call, Refusal } from "./requests.ts";

/** Replaces the saved variant of a card by the selected one. */
export async function change(select: HTMLSelectElement): Promise<void> {
  const card = cardOf(select);
  const root = rootOf(card);
  const { productId, variantId: before } = itemOf(card);
  const [option] = select.selectedOptions;
  if (card.ariaBusy) select.value = before;
  if (!option || select.value === before) return;
  const after = option.value;
  card.ariaBusy = "true";
  try {
    const { added, ...response } = await replace(root, productId, before, after);
    await keepDetails(root, { productId, variantId: after }, detailsOf(card));
    await keepItem(root, response, productId, (next) => {
      const handle = next.saved[productId]?.h ?? "";
      exclude(next, { id: productId, handle: "", variant: before });
      include(next, productId, [after], handle);
    });
    show(card, select, option);
    // If the list had the other variant already, its card is there twice now.
    const shown = added ? root : await load(root).catch(() => root);
    say(
      shown,
      (root.dataset["sayChanged"] ?? "").replace("[title]", () => titleOf(option)),
    );
  } catch (error) {
    select.value = before;
    fail(root, error);
  }
  card.ariaBusy = null;
}

/** Returns the variant's title: the text of a sold-out variant says so behind it. */
function titleOf({ dataset, text }: HTMLOptionElement): string {
  return dataset["soldOut"] ?? text;
}

/** Adds before it removes, so that no failure loses the item. @returns the last response, and whether the variant is new in the list */
async function replace(root: HTMLElement, productId: string, before: string, after: string): Promise<Fields> {
  const listId = listOf(root);
  const add = (variantId: string): Promise<Fields> => call(root, "add", { listId, productId, variantId });
  const remove = (variantId: string): Promise<Fields> => call(root, "remove", { listId, productId, variantId });
  let added: unknown;
  try {
    ({ added } = await add(after));
  } catch (error) {
    if (!(error instanceof Refusal && error.code === "wishlist_full")) throw error;
    // A full list has no room for both.
    await remove(before);
    return add(after).catch(async (failure: unknown) => {
      await add(before);
      throw failure;
    });
  }
  try {
    return { ...(await remove(before)), added };
  } catch (error) {
    if (added) await remove(after).catch(() => undefined);
    throw error;
  }
}

/** Shows the variant on the card, which keeps its place. */
function show(card: HTMLElement, select: HTMLSelectElement, option: HTMLOptionElement): void {
  const { value, dataset } = option;
  const { price: amount = "", was, soldOut, image } = dataset;
  const isSoldOut = soldOut !== undefined;
  card.dataset["variantId"] = value;
  // It is about the variant that was saved before.
  card.querySelector("[data-wishlist-since]")?.remove();
  for (const field of card.querySelectorAll<HTMLInputElement>(
    '[name="variant"], [name="variant_id"], [data-wishlist-cart] [name="id"]',
  )) {
    field.value = value;
  }
  for (const link of card.querySelectorAll<HTMLAnchorElement>("a[href]")) {
    const address = new URL(link.href);
    address.searchParams.set("variant", value);
    link.href = address.href;
  }
  const picture = card.querySelector("img");
  const source = image ?? select.dataset["image"];
  if (picture && source && picture.src !== source) {
    picture.removeAttribute("srcset");
    picture.src = source;
  }
  const name = card.querySelector(".wl-variant");
  if (name) name.textContent = titleOf(option);
  const prices = [...(was ? [create("s", { textContent: was }), " "] : []), create("span", { textContent: amount })];
  find(card, ".wl-price").replaceChildren(...prices);
  const badge = find(card, ".wl-badge");
  badge.textContent = badge.dataset["soldOut"] ?? "";
  badge.hidden = !isSoldOut;
  find(card, "[data-wishlist-cart]").hidden = isSoldOut;
  find(card, "[data-wishlist-show]").hidden = !isSoldOut;
  showVariant(card, isSoldOut);
}
