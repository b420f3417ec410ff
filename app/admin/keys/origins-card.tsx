import { Banner, BlockStack, Button, Card, InlineStack, Text } from "@shopify/polaris";
import { useCallback } from "react";
import { SaveBar } from "../save-bar.tsx";
import { useForm } from "../use-form.ts";
import { OriginsField } from "./origins-field.tsx";

/** Changes the origins at which a publishable key works. */
export function OriginsCard({ origins }: { origins: readonly string[] }) {
  const onDone = useCallback(() => {
    shopify.toast.show("Allowed origins saved");
  }, []);
  const form = useForm("origins", { origins: origins.join("\n") }, { onDone });
  return (
    <Card>
      <SaveBar id="key-origins" form={form} />
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          Allowed origins
        </Text>
        <Text as="p" tone="subdued">
          The key works on pages of these origins only. Shoppers who already use the key on another page keep access for
          up to an hour.
        </Text>
        {form.problem !== undefined && (
          <Banner tone="critical" title="The origins weren't saved">
            <p>{form.problem}</p>
          </Banner>
        )}
        <OriginsField {...form.text("origins")} labelHidden />
        <InlineStack align="end">
          <Button onClick={form.submit} loading={form.busy} disabled={!form.dirty}>
            Save origins
          </Button>
        </InlineStack>
      </BlockStack>
    </Card>
  );
}
