import { BlockStack, Box, InlineGrid, Text } from "@shopify/polaris";
import type { ReactNode } from "react";

/** A part of the settings: what it is about beside what can be done. On a phone cards reach the edge, and texts must not. */
export function Section(props: { title: string; description: string; children: ReactNode }) {
  const { title, description, children } = props;
  return (
    <InlineGrid columns={{ xs: "1fr", md: "2fr 5fr" }} gap={{ xs: "300", md: "400" }}>
      <Box paddingInline={{ xs: "400", sm: "0" }} paddingBlockStart={{ xs: "0", md: "400" }}>
        <BlockStack gap="200">
          <Text as="h2" variant="headingMd">
            {title}
          </Text>
          <Text as="p" tone="subdued">
            {description}
          </Text>
        </BlockStack>
      </Box>
      <BlockStack gap="400">{children}</BlockStack>
    </InlineGrid>
  );
}
