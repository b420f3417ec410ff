import { Banner, BlockStack, Button } from "@shopify/polaris";
import { CUSTOMERS_SCOPE } from "../customers/customer-names.ts";
import type { Event } from "../webhooks/events/events.ts";
import { FailureText } from "./failure-text.tsx";
import { formatCount } from "./format.ts";
import { usePermission } from "./use-permission.ts";
import { EVENT_LABELS } from "./webhooks/event-labels.ts";

const SCOPES = [CUSTOMERS_SCOPE];

const ALLOW = "Allow access to customers";

async function requestScope(): Promise<boolean> {
  const { result } = await shopify.scopes.request(SCOPES);
  if (result === "granted-all") return true;
  shopify.toast.show("Permission declined. Nothing has changed.");
  return false;
}

async function revokeScope(): Promise<boolean> {
  await shopify.scopes.revoke(SCOPES);
  shopify.toast.show("Access to customers withdrawn");
  return true;
}

/** Withdraws the permission to read customers. The page needs the form `permission`. */
export function useWithdrawCustomers(): ReturnType<typeof usePermission> {
  return usePermission(revokeScope);
}

/** Requests the permission to read customers. The page needs the form `permission`. */
export function AllowCustomersButton() {
  const { busy, failure, run } = usePermission(requestScope);
  return (
    <BlockStack gap="200" inlineAlign="start">
      <Button loading={busy} onClick={run}>
        {ALLOW}
      </Button>
      <FailureText text={failure} />
    </BlockStack>
  );
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

/** Tells that workflows don't run, because Shopify Flow names a customer only to an app that may read customers. */
export function FlowPermissionBanner({ withheld }: { withheld: readonly Event[] }) {
  const { busy, failure, run } = usePermission(requestScope);
  if (withheld.length === 0) return null;
  return (
    <Banner
      tone="critical"
      title="Flow needs access to customers"
      action={{ content: ALLOW, onAction: run, loading: busy }}
    >
      <BlockStack gap="200">
        <p>{describeWithheld(withheld)}</p>
        <FailureText text={failure} />
      </BlockStack>
    </Banner>
  );
}
