import { z } from "zod";

/** The most items of a draft order; Shopify takes 499. */
export const DRAFT_ORDER_ITEMS = 100;

/**
 * What became of a draft order. `not_permitted`: the shop has not granted the scope, or no longer; `refused`: nothing was created, because of `items` if
 * there are any; `unknown`: Shopify did not respond in time, so that it may exist.
 */
export const draftOrderOutcome = z.discriminatedUnion("state", [
  z.object({
    state: z.literal("created"),
    draftOrderId: z.string(),
    /** as #D12 */
    name: z.string(),
    /** items that are sold out */
    soldOut: z.int(),
  }),
  z.object({ state: z.literal("not_permitted") }),
  z.object({ state: z.literal("refused"), problem: z.string(), items: z.array(z.string()) }),
  z.object({ state: z.literal("unknown") }),
]);

export type DraftOrderOutcome = z.infer<typeof draftOrderOutcome>;
