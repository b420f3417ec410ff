import { BlockStack, Box, Text } from "@shopify/polaris";

/** Shows preformatted text. @param wrap breaks long lines; leave it out for text to copy */
export function CodeBlock(props: { label: string; title?: string; code: string; wrap?: boolean }) {
  const { label, title, code, wrap = false } = props;
  return (
    <BlockStack gap="100">
      {title !== undefined && (
        <Text as="h3" variant="headingSm">
          {title}
        </Text>
      )}
      <Box background="bg-surface-secondary" padding="300" borderRadius="200" overflowX="scroll">
        <pre
          style={{ margin: 0, ...(wrap ? { whiteSpace: "pre-wrap", overflowWrap: "anywhere" } : {}) }}
          tabIndex={0}
          aria-label={label}
        >
          {code}
        </pre>
      </Box>
    </BlockStack>
  );
}
