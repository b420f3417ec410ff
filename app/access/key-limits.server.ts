import { env } from "../platform/process/env.server.ts";
import type { KeyLimits } from "./views.ts";

/** Returns the configured rate limits. */
export function keyLimits(): KeyLimits {
  const { rateLimitAdminPerMinute, rateLimitStorefrontServerPerMinute } = env();
  return { admin: rateLimitAdminPerMinute, storefront_server: rateLimitStorefrontServerPerMinute };
}
