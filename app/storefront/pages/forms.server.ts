import type { z } from "zod";
import {
  changedDetails,
  changeItem,
  createList,
  DEFAULT_LIST,
  deleteList,
  listNameSchema,
  moveItems,
  readOneList,
  removeItem,
  restoreList,
  updateList,
  type ListRef,
} from "../../wishlists/index.server.ts";
import { changeAlertChoices, readAlertChoices } from "../../alerts/index.server.ts";
import { Failure, type FailureCode } from "../../platform/failure.ts";
import type { Customer } from "../identity.server.ts";
import { offersLists } from "../lists.server.ts";
import { SOURCE } from "../product.server.ts";
import type {
  alertsForm,
  createListForm,
  deleteListForm,
  moveItemForm,
  removeForm,
  renameListForm,
  restoreListForm,
  updateItemForm,
} from "../schemas.ts";
import { isFormToken } from "../tags.server.ts";
import type { LiquidPage } from "./liquid-page.ts";
import { FIRST_PAGE, type ListView } from "./list-view.ts";
import { myWishlist, type Outcome } from "./my-wishlist.server.ts";
import { textsFor } from "./texts.ts";

// The forms of the wishlist page, with which it works without JavaScript.

/** The outcome that the page says for a failure. */
const FAILURE_OUTCOMES: Partial<Record<FailureCode, Outcome["code"]>> = {
  list_not_found: "unknown_list",
  list_name_taken: "name_taken",
  list_limit_reached: "too_many_lists",
  item_not_found: "item_gone",
  wishlist_full: "full",
  version_expired: "list_changed",
};

/** What the page shows after a form. */
interface FormResult {
  view?: ListView;
  outcome?: Outcome;
}

type Form = ListView & { token: string };

/**
 * Applies a form of the page, and returns the page as it is then.
 * @returns `forbidden_origin` when the form was not rendered for this shopper, or too long ago
 */
async function apply(
  shopper: Customer,
  form: Form,
  change: (list: ListRef) => Promise<FormResult | Failure>,
): Promise<LiquidPage | Failure> {
  if (!isFormToken(form.token, shopper)) {
    return new Failure(
      "forbidden_origin",
      "This form was rendered for another shopper or too long ago. Open the wishlist again.",
    );
  }
  const done = await change({ shopId: shopper.shopId, kind: "customer", id: shopper.customerId, listId: form.list });
  if (!(done instanceof Failure)) return myWishlist(shopper, done.view ?? form, done.outcome);
  const code = FAILURE_OUTCOMES[done.code];
  return code === undefined ? done : myWishlist(shopper, form, { code });
}

/** Returns the outcome of a change that the page shows by itself. */
function plainly(done: object | Failure): FormResult | Failure {
  return done instanceof Failure ? done : {};
}

export function removeByForm(shopper: Customer, form: z.output<typeof removeForm>): Promise<LiquidPage | Failure> {
  return apply(shopper, form, async (list) => {
    const before = await readOneList(list);
    if (before instanceof Failure) return before;
    const done = await removeItem(list, { productId: form.product, variantId: form.variant }, SOURCE);
    if (done instanceof Failure || !done.removed) return plainly(done);
    const after = await readOneList(list);
    if (after instanceof Failure) return after;
    const outcome: Outcome = { code: "removed" };
    // With another change in between, the version is not that of the removal alone.
    if (after.version === before.version + 1)
      outcome.undo = { listId: after.listId, version: after.version, removal: true };
    return { outcome };
  });
}

/** Changes quantity and note. One is the quantity of an item without one. */
export function updateItemByForm(
  shopper: Customer,
  form: z.output<typeof updateItemForm>,
): Promise<LiquidPage | Failure> {
  return apply(shopper, form, async (list) => {
    const quantity = changedDetails.quantity.safeParse(Number(form.quantity || 1));
    const note = changedDetails.note.safeParse(form.note.replaceAll("\r\n", "\n"));
    if (!quantity.success || !note.success) return { outcome: { code: "details_invalid" } };
    const details = { quantity: quantity.data === 1 ? null : quantity.data, note: note.data };
    return plainly(await changeItem(list, { productId: form.product, variantId: form.variant }, details, SOURCE));
  });
}

export function moveItemByForm(shopper: Customer, form: z.output<typeof moveItemForm>): Promise<LiquidPage | Failure> {
  return apply(shopper, form, async (list) => {
    const { to, product: productId, variant: variantId, undo } = form;
    const copy = form.copy === "1";
    const target = await readOneList({ ...list, listId: to });
    if (target instanceof Failure) return target;
    const moved = await moveItems(list, { to, items: [{ productId, variantId }], copy }, SOURCE);
    if (moved instanceof Failure) return moved;
    const outcome: Outcome = { code: copy ? "copied_to" : "moved_to", name: target.name };
    if (undo) return { view: { ...FIRST_PAGE, list: to }, outcome };
    // An item that the target had already is there with its own details: moving it back would take it from there.
    const canUndo = !copy && moved.addedCount > 0;
    const from = form.list ?? DEFAULT_LIST;
    if (canUndo) outcome.undo = { listId: to, to: from, product: productId, variant: variantId };
    return { outcome };
  });
}

export function createListByForm(
  shopper: Customer,
  form: z.output<typeof createListForm>,
): Promise<LiquidPage | Failure> {
  return apply(shopper, form, async (list) => {
    if (!offersLists(shopper)) return { outcome: { code: "lists_off" } };
    const name = listNameSchema.safeParse(form.name);
    if (!name.success) return { outcome: { code: "name_invalid" } };
    const created = await createList(list, { name: name.data }, SOURCE);
    return created instanceof Failure ? created : { view: { ...FIRST_PAGE, list: created.listId } };
  });
}

export function renameListByForm(
  shopper: Customer,
  form: z.output<typeof renameListForm>,
): Promise<LiquidPage | Failure> {
  return apply(shopper, form, async (list) => {
    const name = listNameSchema.safeParse(form.name);
    if (!name.success) return { outcome: { code: "name_invalid" } };
    return plainly(await updateList(list, { name: name.data }, SOURCE));
  });
}

export function deleteListByForm(
  shopper: Customer,
  form: z.output<typeof deleteListForm>,
): Promise<LiquidPage | Failure> {
  return apply(shopper, form, async (list) => {
    const found = await readOneList(list);
    if (found instanceof Failure) return found;
    const deleted = await deleteList(list, SOURCE);
    if (deleted instanceof Failure) return deleted;
    const undo = { listId: found.listId, version: deleted.version };
    return { view: FIRST_PAGE, outcome: { code: "list_deleted", name: found.name, undo } };
  });
}

/** Records what the customer asks for, with the words of the page in its language. */
export function askForAlertsByForm(
  shopper: Customer,
  form: z.output<typeof alertsForm>,
): Promise<LiquidPage | Failure> {
  return apply(shopper, form, async () => {
    const { offered } = await readAlertChoices(shopper.shopId, shopper.plan, shopper.customerId);
    const kinds = offered.filter((kind) => form[kind] === "1");
    const { language, texts } = textsFor(form.locale);
    const wording = [...kinds.map((kind) => texts[`ask_${kind}`]), texts.alerts_hint].join(" · ");
    await changeAlertChoices(
      shopper.shopId,
      shopper.customerId,
      { kinds, source: "storefront", wording, locale: language },
      offered,
    );
    return { outcome: { code: "alerts_saved" } };
  });
}

/** Takes the deletion of a list or the removal of an item back, unless the list has changed since. */
export function restoreListByForm(
  shopper: Customer,
  form: z.output<typeof restoreListForm>,
): Promise<LiquidPage | Failure> {
  return apply(shopper, form, async (list) => {
    const restored = await restoreList(list, { version: form.version - 1 }, form.version);
    if (restored instanceof Failure) {
      return restored.code === "invalid_request" ? { outcome: { code: "list_changed" } } : restored;
    }
    if (form.removal) return { outcome: { code: "restored" } };
    return { view: { ...FIRST_PAGE, list: form.list }, outcome: { code: "list_restored" } };
  });
}
