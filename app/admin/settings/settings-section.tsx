import { BlockStack, Box, InlineGrid, Text } from "@shopify/polaris";
import type { ReactNode } from "react";

/** Shows a title and description beside its cards, with padding on phones, where cards span the full width. */
export function SettingsSection(props: { title: string; description: string; children: ReactNode }) {
  const { title, description, children } = props;
  return (
    <InlineGrid columns={{ xs: "minmax(0, 1fr)", md: "minmax(0, 2fr) minmax(0, 5fr)" }} gap={{ xs: "300", md: "400" }}>
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
