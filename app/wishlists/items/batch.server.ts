import { z } from "zod";
import { wakeOutbox } from "../../activity/index.server.ts";
import { catalog } from "../../catalog/index.server.ts";
import { now } from "../../platform/clock.server.ts";
import { shopStatement } from "../../platform/database/database.server.ts";
import { Failure } from "../../platform/failure.ts";
import { SINGLE, type Execution } from "../../platform/database/transaction.server.ts";
import type { Source } from "../source.ts";
import { guestLimits } from "../guests/limits.server.ts";
import { productIdSchema, variantIdSchema } from "../identifiers.ts";
import { lookupBudgetOf, idOf, type ListRef } from "../owner.ts";
import { refusal } from "../refusals.server.ts";
import { changedDetails, detailsOfNewItem, newItemDetails, storedDetails } from "./details.ts";

/** The most operations of a batch. */
const BATCH_CAP = 250;

const ids = { productId: productIdSchema, variantId: variantIdSchema.optional() };

const operationSchema = z.discriminatedUnion("op", [
  z.strictObject({ op: z.literal("add"), ...ids, ...newItemDetails }),
  z.strictObject({ op: z.literal("remove"), ...ids }),
  z
    .strictObject({ op: z.literal("update"), ...ids, ...changedDetails })
    .refine(
      ({ op: _, productId: __, variantId: ___, ...given }) => Object.keys(given).length > 0,
      "needs at least one detail",
    ),
]);

export const batchBody = z
  .strictObject({
    operations: z
      .array(operationSchema)
      .min(1, "must not be empty")
      .max(BATCH_CAP, `holds more than ${BATCH_CAP} operations; send them in several calls`)
      .meta({
        description: "Applied in their order",
        example: [
          { op: "add", productId: "8401930311165", variantId: "44003118551387", quantity: 2 },
          { op: "remove", productId: "8403987802358" },
        ],
      }),
  })
  .meta({ id: "ChangeItems" });

export const batchSchema = z
  .strictObject({
    results: z
      .array(
        z.strictObject({
          op: z.enum(["add", "remove", "update"]),
          productId: z.string().meta({ example: "8401930311165" }),
          variantId: z.string().optional().meta({ example: "44003118551387" }),
          changed: z.boolean().meta({ description: "false when the operation changed nothing", example: true }),
        }),
      )
      .meta({ description: "One for each operation, in their order" }),
    itemCount: z.int().meta({ description: "Items in the list after the request", example: 4 }),
  })
  .meta({ id: "ItemsChanged" });

const keptSchema = z.object({
  itemCount: z.int(),
  /** for each operation whether it changed anything, as digits */
  changed: z.string(),
  /** the variants that the request did not name, by the index of the operation */
  variants: z.record(z.string(), z.string()),
});

type Batch = z.output<typeof batchBody>;
type BatchResponse = z.infer<typeof batchSchema>;

/** A response to a batch as it is stored for a repetition: the rest of it is in the request. */
export const keptBatch = {
  /** @returns undefined when nothing was changed */
  toKeep({ results, itemCount }: BatchResponse, { operations }: Batch): z.infer<typeof keptSchema> | undefined {
    if (!results.some(({ changed }) => changed)) return undefined;
    const resolved = results.flatMap(({ variantId }, index) =>
      variantId === undefined || operations[index]?.variantId !== undefined ? [] : [[index, variantId] as const],
    );
    return {
      itemCount,
      changed: results.map(({ changed }) => (changed ? "1" : "0")).join(""),
      variants: Object.fromEntries(resolved),
    };
  },
  restore(stored: unknown, { operations }: Batch): BatchResponse {
    const { itemCount, changed, variants } = keptSchema.parse(stored);
    const results = operations.map(({ op, productId, variantId }, index) =>
      toResult({ op, productId, variantId: variantId ?? variants[index] }, changed[index] === "1"),
    );
    return { results, itemCount };
  },
};

const batchStatement = shopStatement<{ effects: boolean[]; count_after: number }>(
  "wishlist_batch",
  `SELECT effects, count_after
     FROM wishlist_batch(p_shop_id => $1::bigint, p_owner_kind => $2, p_owner_id => $3, p_list => $4, p_kinds => $5::text[], p_phases => $6::integer[],
                         p_product_ids => $7::text[], p_variant_ids => $8::text[], p_details => $9::jsonb[], p_source => $10, p_at => $11::timestamptz,
                         p_guest_limit => $12::integer, p_guest_origins => $13::text[])`,
);

type Operation = z.output<typeof operationSchema>;

/** Numbers operations so that those with the same number are of one kind and about different items: the database runs them together. */
function phasesOf(operations: readonly Operation[]): number[] {
  let phase = 0;
  let kind: Operation["op"] | undefined;
  const items = new Set<string>();
  return operations.map(({ op, productId, variantId = "" }) => {
    const item = `${productId} ${variantId}`;
    if (op !== kind || items.has(item)) {
      phase++;
      kind = op;
      items.clear();
    }
    items.add(item);
    return phase;
  });
}

/**
 * Applies operations to a list in their order, all or none.
 * @returns `list_not_found`, `item_not_found` or `invalid_request` for the operation that is the reason, `wishlist_full`, `product_not_found`, the failure of
 *   the look-up of default variants; for a guest also `guest_merged` or `rate_limited`
 */
export async function changeTogether(
  list: ListRef,
  { operations: given }: z.output<typeof batchBody>,
  source: Source,
  { runOne, afterCommit }: Execution = SINGLE,
): Promise<z.infer<typeof batchSchema> | Failure> {
  const operations = await withVariants(list, given);
  if (operations instanceof Failure) return operations;
  try {
    const { effects, count_after: itemCount } = await runOne(batchStatement, [
      list.shopId,
      list.kind,
      list.id,
      idOf(list),
      operations.map(({ op }) => op),
      phasesOf(operations),
      operations.map(({ productId }) => productId),
      operations.map(({ variantId }) => variantId ?? null),
      operations.map(detailsOf),
      source,
      now(),
      ...guestLimits(list),
    ]);
    if (effects.includes(true)) {
      afterCommit(() => {
        wakeOutbox(list.shopId);
      });
    }
    const results = operations.map((operation, index) => toResult(operation, effects[index] === true));
    return { results, itemCount };
  } catch (error) {
    return refusal(error, "body.operations");
  }
}

function toResult(
  { op, productId, variantId }: Pick<Operation, "op" | "productId" | "variantId">,
  changed: boolean,
): BatchResponse["results"][number] {
  return { op, productId, ...(variantId === undefined ? {} : { variantId }), changed };
}

function detailsOf({ op, productId: _, variantId: __, ...details }: Operation): string | null {
  return op === "add" ? detailsOfNewItem(details) : JSON.stringify(storedDetails(details));
}

/** Resolves the default variants of added products in one look-up. */
async function withVariants(list: ListRef, operations: readonly Operation[]): Promise<readonly Operation[] | Failure> {
  const needsVariant = ({ op, variantId }: Operation) => op === "add" && variantId === undefined;
  const unresolved = operations.filter(needsVariant).map(({ productId }) => productId);
  if (unresolved.length === 0) return operations;
  const variants = await catalog().defaultVariants(list.shopId, unresolved, lookupBudgetOf(list));
  if (variants instanceof Failure) return variants;
  const unknown = operations.findIndex((operation) => needsVariant(operation) && !variants.has(operation.productId));
  if (unknown >= 0) {
    const problem = "is no product of the shop; check the id, or send `variantId` to save it unchecked";
    const path = `body.operations[${unknown}].productId`;
    return new Failure("product_not_found", `${path} ${problem}. Nothing was changed.`, {
      details: [{ path, problem }],
    });
  }
  return operations.map((operation) =>
    operation.op === "add"
      ? { ...operation, variantId: operation.variantId ?? variants.get(operation.productId) }
      : operation,
  );
}
