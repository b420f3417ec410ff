import { Banner, BlockStack, Card, Text } from "@shopify/polaris";
import { CopyField } from "../copy-field.tsx";

/** Shows a new secret, which can't be shown again. */
export function NewSecretCard({ secret }: { secret: string }) {
  return (
    <Card>
      <BlockStack gap="400">
        <Banner tone="warning" title="Copy the secret now">
          <p>It is shown only once. Your receiver needs it to verify that messages come from this app.</p>
        </Banner>
        <CopyField label="Secret" value={secret} />
        <Text as="p" tone="subdued">
          Receiver code in TypeScript, Python and Ruby is on the Webhooks page. You can also use any Standard Webhooks
          library.
        </Text>
      </BlockStack>
    </Card>
  );
}
