import { BlockStack, Box, Card, InlineStack, Text } from "@shopify/polaris";
import type { ReactNode } from "react";

/** A list in a card: what it is, what can be done with it, its rows. */
export function ListCard(props: { title: string; says: string; actions: ReactNode; children: ReactNode }) {
  const { title, says, actions, children } = props;
  return (
    <Card padding="0">
      <Box padding="400">
        <BlockStack gap="100">
          <InlineStack align="space-between" blockAlign="center" gap="200">
            <Text as="h2" variant="headingMd">
              {title}
            </Text>
            <InlineStack gap="200">{actions}</InlineStack>
          </InlineStack>
          <Text as="p" tone="subdued">
            {says}
          </Text>
        </BlockStack>
      </Box>
      {children}
    </Card>
  );
}

/** In the place of the rows. */
export function NoRows({ children }: { children: ReactNode }) {
  return (
    <Box padding="400" paddingBlockStart="0">
      <Text as="p">{children}</Text>
    </Box>
  );
}
