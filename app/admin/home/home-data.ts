import type { ApiKey } from "../../access/views.ts";
import type { Day } from "../../analytics/findings.ts";
import type { SetupState } from "../../shops/views.ts";
import type { Event } from "../../webhooks/events/events.ts";
import type { MonitoredWebhook } from "../../webhooks/subscriptions/views.ts";

export interface HomeData {
  /** the app's client id */
  apiKey: string;
  /** the shop's domain */
  domain: string;
  setup: SetupState;
  /** active keys */
  keys: readonly Pick<ApiKey, "keyId" | "name" | "expiresAt" | "successorKeyId">[];
  webhooks: readonly MonitoredWebhook[];
  /** events that workflows of Shopify Flow wait for and don't get, because the app may not read customers */
  withheld: readonly Event[];
  /** the last 30 days, oldest first */
  days: readonly Day[];
  /** when the data was read */
  at: Date;
}
