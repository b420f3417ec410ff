import { z } from "zod";

export const subscribeForm = z.strictObject({ plan: z.enum(["starter", "growth"], "Choose a plan.") });

/** `?wanted=` after the return from Shopify's approval page: the requested plan, not the confirmed one. */
export const wantedPlan = z.enum(["starter", "growth"]).optional().catch(undefined);
