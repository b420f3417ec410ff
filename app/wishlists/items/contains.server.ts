import { z } from "zod";
import { run, statement } from "../../platform/database/database.server.ts";
import { PAGE_BYTES } from "../../platform/text/page-size.ts";
import { productIdSchema } from "../identifiers.ts";
import { DEFAULT_LIST, type Owner } from "../owner.ts";

/** The most products of a look-up. */
const MAX_PRODUCTS = 250;

export const containsQuery = z.strictObject({
  product_id: z
    .array(
      productIdSchema.refine((id) => !id.includes(","), {
        error: "has a comma; repeat the parameter for each product: product_id=1&product_id=2",
      }),
    )
    .min(1)
    .max(MAX_PRODUCTS, `is given more than ${MAX_PRODUCTS} times; use several requests`)
    .meta({
      description: `The products to look for, 1 to ${MAX_PRODUCTS}: the parameter is repeated, and has no commas`,
      example: ["8401930311165"],
    }),
});

export const containsSchema = z
  .strictObject({
    products: z
      .array(
        z.strictObject({
          productId: z.string().meta({ example: "8401930311165" }),
          variants: z.array(
            z.strictObject({
              variantId: z.string().meta({ example: "44003118551387" }),
              listIds: z.array(z.string()).meta({ example: ["default"] }),
            }),
          ),
        }),
      )
      .meta({ description: "The given products that are in a list, in the given order" }),
    has_more: z.boolean().meta({
      description: "Whether variants were left out, because a response ends at about 1 MB; look for fewer products",
      example: false,
      "x-additive": true,
    }),
  })
  .meta({ id: "ListsContaining" });

/** Bytes that JSON needs for a variant beyond its ids. */
const JSON_BYTES = 50;

const containsStatement = statement<{ product_id: string; variant_id: string; lists: string[]; cut: boolean }>(
  "lists_containing",
  `SELECT f.product_id, f.variant_id, array_agg(f.handle ORDER BY f.handle <> '${DEFAULT_LIST}', f.position, f.id) AS lists, bool_or(f.total > ${PAGE_BYTES}) AS cut
     FROM (SELECT t.*, sum(t.size) OVER (ORDER BY t.product_id, t.variant_id) AS bytes, sum(t.size) OVER () AS total
             FROM (SELECT i.product_id, i.variant_id, w.handle, w.position, w.id, octet_length(i.variant_id) + octet_length(w.handle) + ${JSON_BYTES} AS size
                     FROM wishlist w
                     JOIN wishlist_item i ON i.shop_id = w.shop_id AND i.wishlist_id = w.id
                    WHERE w.shop_id = $1 AND w.owner_kind = $2 AND w.owner_id = $3 AND w.deleted_at IS NULL
                      AND i.shop_id = $1 AND i.product_id = ANY ($4::text[])) AS t) AS f
    WHERE f.bytes <= ${PAGE_BYTES}
    GROUP BY f.product_id, f.variant_id
    ORDER BY f.product_id, f.variant_id`,
);

/** Returns which lists of an owner have the given products, by variant. */
export async function findContaining(
  { shopId, kind, id }: Owner,
  productIds: readonly string[],
): Promise<z.infer<typeof containsSchema>> {
  const wanted = [...new Set(productIds)];
  const rows = await run(containsStatement, [shopId, kind, id, wanted]);
  const variantsOf = Map.groupBy(rows, ({ product_id }) => product_id);
  return {
    products: wanted.flatMap((productId) => {
      const variants = variantsOf.get(productId);
      return variants
        ? [
            {
              productId,
              variants: variants.map(({ variant_id, lists }) => ({ variantId: variant_id, listIds: lists })),
            },
          ]
        : [];
    }),
    has_more: rows.some(({ cut }) => cut),
  };
}
