import { Text } from "@shopify/polaris";

/** Says, where the merchant acts, why it failed and what to do. A toast would be gone before it is read. */
export function FailureText({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <div role="alert">
      <Text as="p" tone="critical">
        {text}
      </Text>
    </div>
  );
}
