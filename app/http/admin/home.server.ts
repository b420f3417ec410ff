import { activeKeys } from "../../access/index.server.ts";
import { alertResults, readAlertSettings } from "../../alerts/index.server.ts";
import { homeFigures } from "../../analytics/index.server.ts";
import { billingOf } from "../../billing/index.server.ts";
import { readPart } from "../../platform/log/read-part.server.ts";
import { openDataRequests } from "../../privacy/index.server.ts";
import { setupState } from "../../shops/index.server.ts";
import { monitorWebhooks, readReceivedAlertKinds } from "../../webhooks/index.server.ts";
import { countPeople } from "../../wishlists/index.server.ts";
import { withheldEmailKinds, withheldFlowEvents } from "./permission.server.ts";
import type { AdminSession } from "./session.server.ts";

/** Rows of the short list of sold-out variants. */
const LISTED = 3;
/** Alerts of each kind and status that are counted, the newest first. */
const COUNTED_ALERTS = 2_000;

async function readAlerts(session: AdminSession) {
  const { id } = session.shop;
  const [{ kinds }, received, withheldEmails, results] = await Promise.all([
    readAlertSettings(id),
    readReceivedAlertKinds(id),
    withheldEmailKinds(session),
    alertResults(id, COUNTED_ALERTS),
  ]);
  return { kinds, received: Object.values(received).flat(), withheldEmails, results: results.all };
}

/** Reads what the home page shows of all features, with a fixed number of queries. A part that fails is undefined. */
export async function readHome(session: AdminSession) {
  const { id, domain } = session.shop;
  const [figures, setup, keys, webhooks, withheld, people, alerts, billing, dataRequests] = await Promise.all([
    homeFigures({ id, domain }, LISTED),
    readPart(domain, setupState(id)),
    readPart(domain, activeKeys(id)),
    readPart(domain, monitorWebhooks(id)),
    readPart(domain, withheldFlowEvents(session)),
    readPart(domain, countPeople(id)),
    readPart(domain, readAlerts(session)),
    readPart(domain, billingOf(id)),
    readPart(domain, openDataRequests(id)),
  ]);
  return { ...figures, setup, keys, webhooks, withheld, people, alerts, billing, dataRequests };
}
