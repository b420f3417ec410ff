import { BlockStack, Box, Button, Card, InlineStack, Text } from "@shopify/polaris";
import { useState } from "react";
import type { CustomerNames } from "../../customers/customer-names.ts";
import { useForm } from "../form.ts";

const SCOPES = ["read_customers"];

/** Changes the app's permission through App Bridge, and has the page read anew under it. */
function usePermission(change: () => Promise<boolean>): { busy: boolean; run: () => void } {
  const form = useForm("permission", {});
  const [asking, setAsking] = useState(false);
  const run = async (): Promise<void> => {
    setAsking(true);
    try {
      if (await change()) form.submit();
    } catch {
      shopify.toast.show("Couldn't change the permission. Try again.", { isError: true });
    } finally {
      setAsking(false);
    }
  };
  return { busy: asking || form.busy, run: () => void run() };
}

async function request(): Promise<boolean> {
  const { result } = await shopify.scopes.request(SCOPES);
  if (result === "granted-all") return true;
  shopify.toast.show("Permission declined. Customers stay listed by ID.");
  return false;
}

async function revoke(): Promise<boolean> {
  await shopify.scopes.revoke(SCOPES);
  shopify.toast.show("Customers are listed by ID");
  return true;
}

/** Asks for the permission to read customers. */
export function AskForNames() {
  const { busy, run } = usePermission(request);
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
      </BlockStack>
    </Card>
  );
}

/** Says where names come from, and lets the merchant take the permission back. */
export function StopShowingNames() {
  const { busy, run } = usePermission(revoke);
  return (
    <Box paddingInline={{ xs: "400", sm: "0" }}>
      <InlineStack gap="200" blockAlign="center">
        <Text as="span" tone="subdued" variant="bodySm">
          Names and emails come from Shopify. This app doesn&apos;t store them.
        </Text>
        <Button variant="plain" disabled={busy} onClick={run}>
          Stop showing names
        </Button>
      </InlineStack>
    </Box>
  );
}

/** Says why customers are listed by id although names are permitted. */
export function NamesUnavailable({ names: { state } }: { names: CustomerNames }) {
  if (state !== "unavailable") return null;
  return (
    <Text as="p" tone="subdued">
      Shopify didn&apos;t return customer names. Customers are listed by ID. Reload the page to try again.
    </Text>
  );
}
