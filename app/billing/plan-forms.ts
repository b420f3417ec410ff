import { z } from "zod";

/** What a merchant can subscribe to. */
export const subscribeForm = z.strictObject({ plan: z.enum(["starter", "growth"], "Choose a plan.") });

/** `?wanted=` of a merchant who comes back from Shopify's page of the charge. It says what was asked for, and nothing of what is. */
export const wantedPlan = z.enum(["starter", "growth"]).optional().catch(undefined);
