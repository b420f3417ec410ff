import { BlockStack, Button } from "@shopify/polaris";
import { FailureText } from "./failure-text.tsx";
import { usePermission } from "./use-permission.ts";

const SCOPES = ["read_orders"];

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
