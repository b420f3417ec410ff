import { Banner, BlockStack, Card, Text } from "@shopify/polaris";
import { CopyField } from "../copy-field.tsx";

/** A secret that was just made. Nobody can see it again. */
export function IssuedSecret({ secret }: { secret: string }) {
  return (
    <Card>
      <BlockStack gap="400">
        <Banner tone="warning" title="Copy the secret now">
          <p>It is shown this once. Your receiver needs it to tell our messages from forged ones.</p>
        </Banner>
        <CopyField label="Secret" value={secret} />
        <Text as="p" tone="subdued">
          Code for a receiver, in TypeScript, Python and Ruby, is one click away on the pages of your webhooks. Any
          Standard Webhooks library does as well.
        </Text>
      </BlockStack>
    </Card>
  );
}
