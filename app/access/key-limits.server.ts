import type { KeyKind } from "./kinds.ts";
import { env } from "../platform/env.server.ts";

/** Requests a minute that keys of each kind may make. */
export function keyLimits(): Record<KeyKind, number> {
  const { rateLimitAdminPerMinute, rateLimitStorefrontServerPerMinute } = env();
  return { admin: rateLimitAdminPerMinute, storefront_server: rateLimitStorefrontServerPerMinute };
}
