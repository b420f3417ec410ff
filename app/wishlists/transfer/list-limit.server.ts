import { FEATURES, hasFeature, planSchema, PLANS } from "../../billing/index.server.ts";
import { runOne, statement } from "../../platform/database/database.server.ts";
import { MAX_LISTS } from "../refusals.server.ts";

const planStatement = statement<{ plan: string }>("import_plan", "SELECT plan FROM shop WHERE id = $1");

/**
 * Returns how many lists an owner can have after an import, the default list included.
 * @returns `exceeded`: the problem of a line that begins a list beyond the limit
 */
export async function listLimit(shopId: number): Promise<{ limit: number; exceeded: string }> {
  const { plan } = await runOne(planStatement, [shopId]);
  if (hasFeature(planSchema.parse(plan), "lists")) {
    return { limit: MAX_LISTS, exceeded: `begins a new list, and its owner would have more than ${MAX_LISTS} lists` };
  }
  return { limit: 1, exceeded: `begins a new named list, which needs the ${PLANS[FEATURES.lists.from].name} plan` };
}
