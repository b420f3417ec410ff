import { BlockStack, Button } from "@shopify/polaris";
import { FailureText } from "./failure-text.tsx";
import { usePermission } from "./use-permission.ts";
import { usePolling } from "./use-polling.ts";

const SCOPES = ["read_orders"];

/** Milliseconds between two looks for the first reports. */
const POLL_INTERVAL_MS = 2_000;

export const ALLOW_ORDERS = "Allow access to orders";

async function requestScope(): Promise<boolean> {
  const { result } = await shopify.scopes.request(SCOPES);
  if (result === "granted-all") return true;
  shopify.toast.show("Permission declined. Orders aren't counted.");
  return false;
}

/** Requests the permission to read orders. The page needs the form `permission`. */
export function useAllowOrders(): ReturnType<typeof usePermission> {
  return usePermission(requestScope);
}

export function AllowOrdersButton() {
  const { busy, failure, run } = useAllowOrders();
  return (
    <BlockStack gap="200" inlineAlign="start">
      <Button loading={busy} onClick={run}>
        {ALLOW_ORDERS}
      </Button>
      <FailureText text={failure} />
    </BlockStack>
  );
}

/** Says since when orders are counted, in a store whose merchant lets the app read them. @param isReported whether Shopify reports them already */
export function OrdersCounted({ isReported }: { isReported: boolean }) {
  usePolling(!isReported, POLL_INTERVAL_MS);
  return isReported
    ? "Orders are counted from now on. The first order of your store appears here within a minute."
    : "Waiting for Shopify to report this store's orders to the app. They are counted from then on.";
}
