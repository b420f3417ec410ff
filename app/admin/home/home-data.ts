import type { ApiKey } from "../../access/views.ts";
import type { Day } from "../../analytics/findings.ts";
import type { SetupState } from "../../shops/views.ts";
import type { MerchantWebhook } from "../../webhooks/views.ts";

export interface HomeData {
  /** the app's client id */
  apiKey: string;
  /** the shop's domain */
  domain: string;
  setup: SetupState;
  /** active keys */
  keys: readonly Pick<ApiKey, "keyId" | "name" | "expiresAt" | "successorKeyId">[];
  webhooks: readonly Pick<MerchantWebhook, "webhookId" | "url" | "disabledReason" | "failingSince">[];
  /** the last 30 days, oldest first */
  days: readonly Day[];
  /** when the data was read */
  at: Date;
}
