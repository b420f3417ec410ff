import { z } from "zod";
import { DRAFT_ORDER_ITEMS } from "../../orders/draft-order.ts";
import { tagSchema } from "../../customers/tagging.ts";
import { customerIdSchema } from "../identifiers.ts";
import { MAX_NOTE, MAX_QUANTITY } from "../items/details.ts";
import { textSchema } from "../text.ts";
import { INDEX_PAGE, parseListQuery, VIEW_NAME_LENGTH } from "./list-filters.ts";

// Forms for staff. Their messages are shown next to the fields.

/** Items of a page, and the most items that a form removes. */
export const STAFF_PAGE = 25;

/** Accepts an id, the URL of the customer's page in Shopify's admin, or words of a name or an email address. */
export const findForm = z.strictObject({
  query: z
    .string("Enter a customer or guest.")
    .trim()
    .min(1, "Enter a customer or guest.")
    .max(255, "Enter at most 255 characters.")
    .transform((text) => /^https:\/\/\S*\/customers\/(\d+)(?:[/?#]\S*)?$/.exec(text)?.[1] ?? text)
    .transform((text, context) => {
      const id = customerIdSchema.safeParse(text).data;
      if (id !== undefined || !text.startsWith("gid:")) return { id, text };
      context.issues.push({ code: "custom", message: "This isn't a customer ID.", input: text });
      return z.NEVER;
    }),
});

/** A product id and a variant id, separated by a space. */
const itemSchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,255} [\x21-\x7e]{1,255}$/, "Choose from the list.")
  .transform((text) => {
    const [productId = "", variantId = ""] = text.split(" ");
    return { productId, variantId };
  });

/** A list by its internal number. */
const wishlistId = z.string("Choose a list.").regex(/^[1-9]\d{0,14}$/, "Choose a list.");

/** An item to add to a list. An empty quantity or note means none. */
export const addItemForm = z.strictObject({
  list: wishlistId,
  item: itemSchema,
  quantity: z
    .string()
    .trim()
    .refine(
      (text) => text === "" || (/^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_QUANTITY),
      `Enter a number from 1 to ${MAX_QUANTITY}.`,
    )
    .transform((text) => (text === "" ? undefined : Number(text))),
  note: z
    .string()
    .trim()
    .refine((text) => textSchema(MAX_NOTE).safeParse(text).success, `Enter at most ${MAX_NOTE} characters.`),
});

/** An item that staff have added and take out again. */
export const undoAddForm = z.strictObject({ list: wishlistId, item: itemSchema });

/** Returns the schema of chosen items. A form with one item submits a string. */
function chosen<Item extends z.ZodType>(item: Item, max: number) {
  return z.preprocess(
    (given) => (typeof given === "string" ? [given] : (given ?? [])),
    z.array(item, "Choose from the list.").min(1, "Choose at least one.").max(max, `Choose at most ${max}.`),
  );
}

/** Saved items, each as product id and variant id separated by a space. */
export const removeForm = z.strictObject({ items: chosen(itemSchema, STAFF_PAGE) });

/** Saved items of a customer's lists, each as the list's internal number, product id and variant id separated by spaces. */
export const draftOrderForm = z.strictObject({
  items: chosen(
    z
      .string()
      .regex(/^[1-9]\d{0,14} [\x21-\x7e]{1,255} [\x21-\x7e]{1,255}$/, "Choose from the list.")
      .transform((text) => {
        const [list = "", productId = "", variantId = ""] = text.split(" ");
        return { wishlistId: list, productId, variantId };
      }),
    DRAFT_ORDER_ITEMS,
  ),
});

/** Restores a version of a list that has not changed since its version `current`. */
export const restoreForm = z.strictObject({
  current: z
    .string("Open the page again.")
    .regex(/^\d{1,15}$/, "Open the page again.")
    .transform(Number),
});

/** A deleted list to restore, by its internal number. */
export const restoreDeletedForm = z.strictObject({ wishlistId });

const viewName = z
  .string("Enter a name.")
  .trim()
  .min(1, "Enter a name.")
  .max(VIEW_NAME_LENGTH, `Enter at most ${VIEW_NAME_LENGTH} characters.`);

const viewId = z
  .string("Open the page again.")
  .regex(/^[1-9]\d{0,14}$/, "Open the page again.")
  .transform(BigInt);

/** Filters and order, as the index's address has them. */
const listQuery = z
  .string("Open the page again.")
  .max(500, "Open the page again.")
  .transform((text) => parseListQuery(new URLSearchParams(text)));

export const createViewForm = z.strictObject({ name: viewName, query: listQuery });

export const renameViewForm = z.strictObject({ id: viewId, name: viewName });

export const updateViewForm = z.strictObject({ id: viewId, query: listQuery });

export const deleteViewForm = z.strictObject({ id: viewId });

/** Lists of the index that staff have selected, by their numbers, separated by commas; without any, all that match the filters in `query`. */
export const selectionForm = z.strictObject({
  query: listQuery,
  lists: z
    .string("Open the page again.")
    .max(1_000, `Choose at most ${INDEX_PAGE}.`)
    .transform((text) => (text === "" ? [] : text.split(",")))
    .pipe(
      z
        .array(z.string().regex(/^[1-9]\d{0,14}$/, "Choose from the list."))
        .max(INDEX_PAGE, `Choose at most ${INDEX_PAGE}.`),
    ),
});

/** Adds a tag to the customers of selected lists. */
export const tagForm = selectionForm.extend({ tag: tagSchema });

/** The tagging whose form it is. */
export const taggingForm = z.strictObject({ id: z.uuid("Open the page again.") });
