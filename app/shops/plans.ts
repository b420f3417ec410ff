import { z } from "zod";

export const planSchema = z.enum(["free", "starter", "growth"]);

export type Plan = z.infer<typeof planSchema>;

const RANK: Record<Plan, number> = { free: 0, starter: 1, growth: 2 };

/** Does a shop on `plan` have what `required` includes? */
export function includes(plan: Plan, required: Plan): boolean {
  return RANK[plan] >= RANK[required];
}
