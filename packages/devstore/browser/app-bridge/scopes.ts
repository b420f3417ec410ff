import type { ShopifyGlobal } from "@shopify/app-bridge-types";
import { z } from "zod";
import type { Channel } from "./channel.ts";

const detailSchema = z.object({
  granted: z.array(z.string()),
  required: z.array(z.string()),
  optional: z.array(z.string()),
});
const requestedSchema = z.object({ result: z.enum(["granted-all", "declined-all"]), detail: detailSchema });
const revokedSchema = z.object({ detail: detailSchema });

/** Implements `shopify.scopes`: the admin shows the dialog and returns the merchant's decision. */
export function scopesApi(channel: Channel): ShopifyGlobal["scopes"] {
  const decide = (decision: "request" | "revoke", scopes: string[]) =>
    channel.request((id) => ({ type: "scopes", id, decision, scopes }));
  return {
    query: async () => detailSchema.parse(await channel.request((id) => ({ type: "call", id, name: "scopes" }))),
    request: async (scopes) => requestedSchema.parse(await decide("request", scopes)),
    revoke: async (scopes) => revokedSchema.parse(await decide("revoke", scopes)),
  };
}
