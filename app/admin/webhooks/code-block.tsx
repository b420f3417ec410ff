import { BlockStack, Box, Text } from "@shopify/polaris";

/** Text as a machine reads it, with all its lines. */
export function CodeBlock({ label, title, code }: { label: string; title?: string; code: string }) {
  return (
    <BlockStack gap="100">
      {title !== undefined && (
        <Text as="h3" variant="headingSm">
          {title}
        </Text>
      )}
      <Box background="bg-surface-secondary" padding="300" borderRadius="200" overflowX="scroll">
        <pre style={{ margin: 0 }} tabIndex={0} aria-label={label}>
          {code}
        </pre>
      </Box>
    </BlockStack>
  );
}
