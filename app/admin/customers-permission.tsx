import { Banner, BlockStack } from "@shopify/polaris";
import { OPTIONAL_SCOPES } from "../shopify-sessions/scopes.ts";
import type { Event } from "../webhooks/events/events.ts";
import { FailureText } from "./failure-text.tsx";
import { formatCount } from "./format.ts";
import { PermissionButton } from "./permission-button.tsx";
import { usePermission, useRequestScope, type Permission } from "./use-permission.ts";
import { EVENT_LABELS } from "./webhooks/event-labels.ts";

const ALLOW = "Allow access to customers";

const useAllowCustomers = (): Permission =>
  useRequestScope(OPTIONAL_SCOPES.customers, "Permission declined. Nothing has changed.");

async function revokeScope(): Promise<boolean> {
  // A scope to write implies the one to read, which Shopify does not revoke before it.
  for (const scope of [OPTIONAL_SCOPES.customerTags, OPTIONAL_SCOPES.customers]) {
    const { granted } = await shopify.scopes.query();
    if (granted.includes(scope)) await shopify.scopes.revoke([scope]);
  }
  shopify.toast.show("Access to customers withdrawn");
  return true;
}

/** Withdraws the permission to read customers. The page needs the form `permission`. */
export function useWithdrawCustomers(): Permission {
  return usePermission(revokeScope);
}

/** Requests the permission to read customers. The page needs the form `permission`. */
export function AllowCustomersButton() {
  return <PermissionButton permission={useAllowCustomers()}>{ALLOW}</PermissionButton>;
}

/** Returns "Item saved, Alert: price drop". */
export function listEvents(events: readonly Event[]): string {
  return events.map((event) => EVENT_LABELS[event].label).join(", ");
}

/** Returns which workflows run only with the permission: "workflows in Shopify Flow with 2 triggers of this app (Item saved, Item removed)". */
export function describeWorkflows(events: readonly Event[]): string {
  return `workflows in Shopify Flow with ${formatCount(events.length, "trigger")} of this app (${listEvents(events)})`;
}

/** Tells which workflows don't run, and why. */
export function describeWithheld(withheld: readonly Event[]): string {
  return `Every message to Shopify Flow names a customer, so ${describeWorkflows(withheld)} don't run. Events that happen until you allow access are never sent to them.`;
}

/** Says what doesn't work because the app may not read customers, and asks for the permission. */
function MissingBanner({ title, children }: { title: string; children: string }) {
  const { busy, failure, run } = useAllowCustomers();
  return (
    <Banner tone="critical" title={title} action={{ content: ALLOW, onAction: run, loading: busy }}>
      <BlockStack gap="200">
        <p>{children}</p>
        <FailureText text={failure} />
      </BlockStack>
    </Banner>
  );
}

/** Says that no emails are sent, because the app may not read customers. */
export function EmailPermissionBanner() {
  return (
    <MissingBanner title="Email needs access to customers">
      No emails are sent until you allow it. The app reads a customer&apos;s address from Shopify for each email, and
      doesn&apos;t store it.
    </MissingBanner>
  );
}

/** Tells that workflows don't run, because Shopify Flow names a customer only to an app that may read customers. */
export function FlowPermissionBanner({ withheld }: { withheld: readonly Event[] }) {
  if (withheld.length === 0) return null;
  return <MissingBanner title="Flow needs access to customers">{describeWithheld(withheld)}</MissingBanner>;
}
