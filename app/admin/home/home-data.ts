import type { ApiKey } from "../../access/views.ts";
import type { AlertKind } from "../../alerts/kinds.ts";
import type { AlertFunnel } from "../../alerts/report.ts";
import type { HomeFigures } from "../../analytics/findings.ts";
import type { MissingPlan } from "../../billing/plans.ts";
import type { BillingView } from "../../billing/views.ts";
import type { SetupState } from "../../shops/views.ts";
import type { Event } from "../../webhooks/events/events.ts";
import type { MonitoredWebhook } from "../../webhooks/subscriptions/views.ts";
import type { People } from "../../wishlists/staff/view.ts";

/** A shop's alerts. */
export interface HomeAlerts {
  /** kinds that are on */
  kinds: readonly AlertKind[];
  /** kinds that a webhook or Shopify Flow receives */
  received: readonly AlertKind[];
  /** kinds that are not emailed, because the app may not read customers */
  withheldEmails: readonly AlertKind[];
  results: AlertFunnel;
}

/** Data of the home page; undefined for a part that couldn't be read. */
export interface HomeData extends HomeFigures {
  /** the app's client id */
  apiKey: string;
  /** the shop's domain */
  domain: string;
  currency: string | null;
  /** whether the merchant lets the app read orders */
  readsOrders: boolean;
  /** whether Shopify reports orders to the app, which it does soon after the permission */
  ordersReported: boolean;
  /** the plan that alerts need; undefined when included */
  missingPlan: MissingPlan | undefined;
  setup: SetupState | undefined;
  /** active keys */
  keys: readonly Pick<ApiKey, "keyId" | "name" | "expiresAt" | "successorKeyId">[] | undefined;
  webhooks: readonly MonitoredWebhook[] | undefined;
  /** events that workflows of Shopify Flow wait for and don't get, because the app may not read customers */
  withheld: readonly Event[] | undefined;
  people: People | undefined;
  alerts: HomeAlerts | undefined;
  billing: Pick<BillingView, "frozen"> | undefined;
  /** when requests for a customer's data are due that staff haven't downloaded yet, earliest first */
  dataRequests: readonly Date[] | undefined;
  /** when the data was read */
  at: Date;
}
