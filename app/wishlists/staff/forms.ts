import { z } from "zod";
import { customerIdSchema } from "../identifiers.ts";
import { parseListQuery, VIEW_NAME_LENGTH } from "./list-filters.ts";

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

const itemSchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,255} [\x21-\x7e]{1,255}$/, "Choose from the list.")
  .transform((text) => {
    const [productId = "", variantId = ""] = text.split(" ");
    return { productId, variantId };
  });

/** Saved items, each as product id and variant id separated by a space. A form with one item submits a string. */
export const removeForm = z.strictObject({
  items: z.preprocess(
    (given) => (typeof given === "string" ? [given] : (given ?? [])),
    z
      .array(itemSchema, "Choose from the list.")
      .min(1, "Choose at least one.")
      .max(STAFF_PAGE, `Choose at most ${STAFF_PAGE}.`),
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
export const restoreDeletedForm = z.strictObject({ wishlistId: z.string().regex(/^[1-9]\d{0,14}$/) });

const viewName = z
  .string("Enter a name.")
  .trim()
  .min(1, "Enter a name.")
  .max(VIEW_NAME_LENGTH, `Enter at most ${VIEW_NAME_LENGTH} characters.`);

const viewId = z
  .string("Open the page again.")
  .regex(/^[1-9]\d{0,14}$/, "Open the page again.")
  .transform(BigInt);

export const createViewForm = z.strictObject({
  name: viewName,
  query: z
    .string("Open the page again.")
    .max(500, "Open the page again.")
    .transform((text) => parseListQuery(new URLSearchParams(text))),
});

export const renameViewForm = z.strictObject({ id: viewId, name: viewName });

export const deleteViewForm = z.strictObject({ id: viewId });
