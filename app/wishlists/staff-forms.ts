import { z } from "zod";
import { customerIdSchema } from "./identifiers.ts";

/** What the forms of a merchant's staff hold. The messages are shown at the fields. */

/** Items of a page, and the most that are removed at once. */
export const STAFF_PAGE = 25;

/** An id, or the address of the customer's page in Shopify's admin. */
export const findForm = z.strictObject({
  who: z
    .string("Paste an id.")
    .trim()
    .min(1, "Paste an id.")
    .transform((text) => /^https:\/\/\S*\/customers\/(\d+)(?:[/?#]\S*)?$/.exec(text)?.[1] ?? text)
    .pipe(
      z.string().transform((text, context) => {
        const id = customerIdSchema.safeParse(text).data;
        if (id !== undefined) return id;
        context.issues.push({ code: "custom", message: "This is no customer's or guest's id.", input: text });
        return z.NEVER;
      }),
    ),
});

const itemSchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,255} [\x21-\x7e]{1,255}$/, "Choose from the list.")
  .transform((text) => {
    const [productId = "", variantId = ""] = text.split(" ");
    return { productId, variantId };
  });

/** Saved items, each as its product's id and its variant's with a space between. A form with one has a single value. */
export const removeForm = z.strictObject({
  items: z.preprocess(
    (given) => (typeof given === "string" ? [given] : (given ?? [])),
    z
      .array(itemSchema, "Choose from the list.")
      .min(1, "Choose at least one.")
      .max(STAFF_PAGE, `Choose at most ${STAFF_PAGE}.`),
  ),
});
