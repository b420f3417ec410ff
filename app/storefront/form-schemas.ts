import { z } from "zod";
import { localeSchema, requestKindSchema } from "../contacts/wanted.ts";
import { listIdSchema, productIdSchema, variantIdSchema } from "../wishlists/index.server.ts";
import { viewQuery } from "./schemas.ts";

/** Fields of every form of the page: the proof that it was rendered for this shopper, and the view to show then. */
const formFields = { token: z.string().max(200), ...viewQuery };
const itemFields = { product: productIdSchema, variant: variantIdSchema };
/** What a shopper has written is checked by the handler, which shows the page again with the reason. The fields of the page end at this length. */
const writtenField = z.string().max(2_000);

/** What a checkbox sends when it is checked. */
const checked = z.literal("1").optional();

export const alertsForm = z.strictObject({
  ...formFields,
  locale: z.string().max(20),
  price_dropped: checked,
  back_in_stock: checked,
  low_stock: checked,
  reminder_due: checked,
});
/** The form of a product's page, whose fields may be empty. */
export const askForm = z.strictObject({
  product_id: productIdSchema,
  variant_id: variantIdSchema,
  kind: requestKindSchema,
  target_price: writtenField.optional(),
  email: writtenField.optional(),
  locale: localeSchema.or(z.literal("")).optional(),
  /** given by the button that ends it */
  withdraw: checked,
});
export const removeForm = z.strictObject({ ...formFields, ...itemFields });
export const updateItemForm = z.strictObject({
  ...formFields,
  ...itemFields,
  quantity: writtenField,
  note: writtenField,
});
export const moveItemForm = z.strictObject({
  ...formFields,
  ...itemFields,
  to: listIdSchema,
  copy: z.literal(["0", "1"]).default("0"),
  /** given by the form that takes a move back */
  undo: z.literal("1").optional(),
});
export const createListForm = z.strictObject({ ...formFields, name: writtenField });
export const renameListForm = z.strictObject({ ...formFields, name: writtenField });
export const deleteListForm = z.strictObject(formFields);
/** Takes back the change that made the version: the list's deletion, or the removal of an item. */
export const restoreListForm = z.strictObject({
  ...formFields,
  version: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
  removal: checked,
});
