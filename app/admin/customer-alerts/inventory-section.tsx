import { BlockStack, Box, Button, Card, Text } from "@shopify/polaris";
import { useEffect, useState } from "react";
import { OPTIONAL_SCOPES } from "../../shopify-sessions/scopes.ts";
import { FailureText } from "../failure-text.tsx";
import { SettingsSection } from "../settings/settings-section.tsx";

/** Requests the permission to hear of changes of the inventory at once. */
export function InventorySection() {
  const [granted, setGranted] = useState<boolean>();
  useEffect(() => {
    shopify.scopes.query().then(
      (scopes) => setGranted(scopes.granted.includes(OPTIONAL_SCOPES.inventory)),
      // The store's admin does not tell: the card stays away.
      () => undefined,
    );
  }, []);
  const [failed, setFailed] = useState(false);
  const request = async (): Promise<void> => {
    setFailed(false);
    try {
      const { result } = await shopify.scopes.request([OPTIONAL_SCOPES.inventory]);
      if (result === "granted-all") setGranted(true);
      else shopify.toast.show("Permission declined. Inventory is read once a day.");
    } catch {
      setFailed(true);
    }
  };
  if (granted !== false) return null;
  return (
    <SettingsSection title="Inventory" description="When the app hears that stock is low.">
      <Card>
        <BlockStack gap="300">
          <Text as="p">
            This app reads the inventory when a product changes and once a day. Allow it to read inventory to send
            low-stock alerts as soon as the last items sell.
          </Text>
          <Box>
            <Button onClick={() => void request()}>Allow inventory updates</Button>
          </Box>
          <FailureText text={failed ? "Couldn't change the permission. Try again." : undefined} />
        </BlockStack>
      </Card>
    </SettingsSection>
  );
}
