import { z } from "zod";

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;
const GID = /^gid:\/\/shopify\/([A-Za-z]+)\/(.*)$/;

/**
 * An identifier as the callers have it: opaque, or a Shopify GID, which means the same as its tail. What is kept and answered
 * is the tail. A GID of another type than expected is a mix-up (a variant's id given for a product's) and is refused.
 */
function identifier(type: "Product" | "ProductVariant" | "Customer", example: string) {
  return (
    z
      .string()
      .regex(VISIBLE_ASCII, "must be 1 to 255 visible ASCII characters (no spaces or control characters)")
      // A check and no transform: zod makes a WeakMap for each parse that meets one, which only a full collection frees.
      .check((context) => {
        const gid = context.issues.length > 0 ? null : GID.exec(context.value);
        if (!gid) return;
        const [, given, tail] = gid;
        const refuse = (message: string): void => {
          context.issues.push({ code: "custom", message, input: context.value });
        };
        if (given !== type) refuse(`is the id of a ${given ?? ""}; the id of a ${type} is expected`);
        else if (tail === undefined || tail === "") refuse("is a GID without its last part");
        // Its tail would be an id that means something else when it is sent back.
        else if (GID.test(tail)) refuse("is a GID within a GID");
        else context.value = tail;
      })
      .meta({ example })
  );
}

export const productIdSchema = identifier("Product", "8261504012487");

export const variantIdSchema = identifier("ProductVariant", "44619204067527");

/** `shared` is the path segment of the shared read and never a customer. */
export const customerIdSchema = identifier("Customer", "7012503486663").refine((id) => id !== "shared", {
  error: "`shared` is not a customer id",
});
