import { BlockStack, Box, Button, Card, InlineStack, Text } from "@shopify/polaris";
import type { CustomerNames } from "../../customers/customer-names.ts";
import { FailureText } from "../failure-text.tsx";
import { usePermission } from "../use-permission.ts";

const SCOPES = ["read_customers"];

async function requestScope(): Promise<boolean> {
  const { result } = await shopify.scopes.request(SCOPES);
  if (result === "granted-all") return true;
  shopify.toast.show("Permission declined. Customers are still listed by ID.");
  return false;
}

async function revokeScope(): Promise<boolean> {
  await shopify.scopes.revoke(SCOPES);
  shopify.toast.show("Customers are listed by ID");
  return true;
}

/** Requests the permission to read customers. */
export function ShowNamesCard() {
  const { busy, failure, run } = usePermission(requestScope);
  return (
    <Card>
      <BlockStack gap="300">
        <BlockStack gap="100">
          <Text as="h2" variant="headingMd">
            Customer names
          </Text>
          <Text as="p" tone="subdued">
            Customers are listed by ID. Allow this app to read customers to see names and emails and to search by them.
            The app reads them from Shopify each time and doesn&apos;t store them.
          </Text>
        </BlockStack>
        <Box>
          <Button loading={busy} onClick={run}>
            Show customer names
          </Button>
        </Box>
        <FailureText text={failure} />
      </BlockStack>
    </Card>
  );
}

/** Revokes the permission to read customers. */
export function HideNames() {
  const { busy, failure, run } = usePermission(revokeScope);
  return (
    <Box paddingInline={{ xs: "400", sm: "0" }}>
      <InlineStack gap="200" blockAlign="center">
        <Text as="span" tone="subdued" variant="bodySm">
          Names and emails come from Shopify. This app doesn&apos;t store them.
        </Text>
        <Button variant="plain" disabled={busy} onClick={run}>
          Hide customer names
        </Button>
        <FailureText text={failure} />
      </InlineStack>
    </Box>
  );
}

/** Explains why customers are listed by ID although the permission is granted. */
export function NamesUnavailable({ names: { state } }: { names: CustomerNames }) {
  if (state !== "unavailable") return null;
  return (
    <Text as="p" tone="subdued">
      Shopify didn&apos;t return customer names. Customers are listed by ID. Reload the page to try again.
    </Text>
  );
}
