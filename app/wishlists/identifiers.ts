import { z } from "zod";

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;
/** Matches mistaken GIDs: percent-encoded once too often, or in Base64 as in older Shopify APIs. */
const MEANT_AS_GID = /^(?:gid(?::|%)|Z2lkOi8vc2hvcGlmeS)/i;
const GID = /^gid:\/\/shopify\/([A-Za-z]+)\/(.*)$/;

/** Matches what programs write in place of a missing value. Pages with such a mistake would share one customer's list. */
const MISSING_VALUE = /^(?:undefined|null|NaN|None|\[object \w+\])$/;

function missingValue(text: string): string {
  return `is the text \`${text}\`, not an id; check the code that inserts the id`;
}

const ENCODING = "percent-encode it once in a path or query and not at all in a body, or send its last part alone";

/**
 * Returns the schema of an identifier: opaque text, or a Shopify GID, of which only the last part is stored and returned. A GID of another type
 * is refused, because the caller has confused two ids.
 */
function identifier(type: "Product" | "ProductVariant" | "Customer", example: string) {
  return (
    z
      .string()
      .regex(VISIBLE_ASCII, {
        error: ({ input }) =>
          typeof input === "string" && MISSING_VALUE.test(input)
            ? missingValue(input)
            : "must be 1 to 255 visible ASCII characters (no spaces or control characters)",
      })
      // A check instead of a transform: zod creates a WeakMap for each parse with a transform, which only a full garbage collection frees.
      .check((context) => {
        if (context.issues.length > 0) return;
        const refuse = (message: string): void => {
          context.issues.push({ code: "custom", message, input: context.value });
        };
        const gid = GID.exec(context.value);
        if (!gid) {
          // URL parsers resolve such path segments.
          if (context.value === "." || context.value === "..") refuse("is `.` or `..`, which are not ids");
          if (MISSING_VALUE.test(context.value)) refuse(missingValue(context.value));
          if (MEANT_AS_GID.test(context.value))
            refuse(`is not a GID such as gid://shopify/${type}/${example}; ${ENCODING}`);
          return;
        }
        const [, given, tail] = gid;
        if (given !== type) refuse(`is the id of a ${given ?? ""}; the id of a ${type} is expected`);
        else if (tail === undefined || tail === "") refuse("is a GID without its last part");
        else if (MISSING_VALUE.test(tail)) refuse(missingValue(context.value));
        else if (tail === "." || tail === "..") refuse("ends with `.` or `..`, which are not ids");
        // Its last part would itself be parsed as a GID when the caller sends it back.
        else if (GID.test(tail)) refuse("is a GID within a GID");
        else context.value = tail;
      })
      .meta({ example })
  );
}

export const productIdSchema = identifier("Product", "8401930311165");

export const variantIdSchema = identifier("ProductVariant", "44003118551387");

/** The path segment that stands for the shopper to whom a token is bound. */
export const ME = "me";

/** The customer in a path: an id, or `me`. `shared` is the path segment of the shared read and never a customer. */
export const ownerParameter = identifier("Customer", "7012503486663").refine((id) => id !== "shared", {
  error: "`shared` is not a customer id",
});

export const customerIdSchema = ownerParameter.refine((id) => id !== ME, { error: "`me` is not a customer id" });

/** An id of a list. Any text is accepted, because an unknown id and a malformed one mean the same: there is no such list. */
export const listIdSchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, "is not the id of a list")
  .meta({ example: "lst_7hQ2mX9cR4tV1bN8kZ3pWy" });
