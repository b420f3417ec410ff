import type { AlertKind } from "../../alerts/index.server.ts";
import { canSendMail, readEmailSettings } from "../../email/index.server.ts";
import { flowEventsInUse } from "../../flow/index.server.ts";
import { transaction } from "../../platform/database/transaction.server.ts";
import { expireAccessToken, OPTIONAL_SCOPES } from "../../shopify-sessions/index.server.ts";
import type { Event } from "../../webhooks/index.server.ts";
import { emptyForm, form } from "./action.server.ts";
import { hasScope, type AdminSession } from "./session.server.ts";

/** The form `permission`: the page granted or revoked a scope through App Bridge, so the access token must be exchanged again. */
export const permissionForm = form(emptyForm, async ({ shop }) => {
  await transaction(shop.id, (tx) => expireAccessToken(tx, shop.domain));
  return {};
});

/** Returns the events that workflows of Shopify Flow wait for and don't get, because the app may not read customers. */
export async function withheldFlowEvents(session: AdminSession): Promise<Event[]> {
  return hasScope(session, OPTIONAL_SCOPES.customers) ? [] : flowEventsInUse(session.shop.id);
}

/** Returns the kinds of alerts that the shop chose to email and that aren't, because the app may not read customers. */
export async function withheldEmailKinds(session: AdminSession): Promise<AlertKind[]> {
  if (hasScope(session, OPTIONAL_SCOPES.customers) || !canSendMail()) return [];
  return (await readEmailSettings(session.shop.id))?.kinds ?? [];
}
