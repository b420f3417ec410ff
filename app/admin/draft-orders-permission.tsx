import { BlockStack, Button } from "@shopify/polaris";
import { FailureText } from "./failure-text.tsx";
import { usePermission } from "./use-permission.ts";

const SCOPES = ["write_draft_orders"];

async function requestScope(): Promise<boolean> {
  const { result } = await shopify.scopes.request(SCOPES);
  if (result === "granted-all") return true;
  shopify.toast.show("Permission declined. Nothing has changed.");
  return false;
}

/** Requests the permission to create draft orders. The page needs the form `permission`. */
export function AllowDraftOrdersButton() {
  const { busy, failure, run } = usePermission(requestScope);
  return (
    <BlockStack gap="200" inlineAlign="start">
      <Button loading={busy} onClick={run}>
        Allow draft orders
      </Button>
      <FailureText text={failure} />
    </BlockStack>
  );
}
