import type { ShopifyGlobal } from "@shopify/app-bridge-types";
import { z } from "zod";
import type { Wire } from "./wire.ts";

const detailSchema = z.object({
  granted: z.array(z.string()),
  required: z.array(z.string()),
  optional: z.array(z.string()),
});
const requestedSchema = z.object({ result: z.enum(["granted-all", "declined-all"]), detail: detailSchema });
const revokedSchema = z.object({ detail: detailSchema });

/** `shopify.scopes`: the admin asks the merchant, and the app hears what they decided. */
export function scopesApi(wire: Wire): ShopifyGlobal["scopes"] {
  const decide = (decision: "request" | "revoke", scopes: string[]) =>
    wire.ask((id) => ({ type: "scopes", id, decision, scopes }));
  return {
    query: async () => detailSchema.parse(await wire.ask((id) => ({ type: "call", id, name: "scopes" }))),
    request: async (scopes) => requestedSchema.parse(await decide("request", scopes)),
    revoke: async (scopes) => revokedSchema.parse(await decide("revoke", scopes)),
  };
}
