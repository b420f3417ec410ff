import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";

/** How Shopify misbehaves, until it is told otherwise. */
export const faultsSchema = z.strictObject({
  /** the Admin API */
  graphql: z.enum(["none", "slow", "error", "throttled", "expired_token"]),
  /** the token endpoint */
  token: z.enum(["none", "slow", "error", "invalid_subject_token"]),
  /** the app proxy: slow to pass a request on, or not passing it on at all */
  proxy: z.enum(["none", "slow", "error"]),
  /** webhooks: each sent twice, or none at all */
  webhooks: z.enum(["none", "twice", "never"]),
  /** how slow `slow` is */
  delayMs: z.int().min(0).max(60_000),
});
export type Faults = z.infer<typeof faultsSchema>;

export const NO_FAULTS: Readonly<Faults> = {
  graphql: "none",
  token: "none",
  proxy: "none",
  webhooks: "none",
  delayMs: 5_000,
};

export async function slowDown(faults: Faults, part: "graphql" | "token" | "proxy"): Promise<void> {
  if (faults[part] === "slow") await wait(faults.delayMs);
}
