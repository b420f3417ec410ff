import { BlockStack, Box, Card, InlineStack, Text } from "@shopify/polaris";
import type { ReactNode } from "react";

/** Shows a list with a title, description and buttons. */
export function ListCard(props: { title: string; description: ReactNode; actions: ReactNode; children: ReactNode }) {
  const { title, description, actions, children } = props;
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
            {description}
          </Text>
        </BlockStack>
      </Box>
      {children}
    </Card>
  );
}

/** Replaces the rows of an empty list. */
export function NoRows({ children }: { children: ReactNode }) {
  return (
    <Box padding="400" paddingBlockStart="0">
      <Text as="p">{children}</Text>
    </Box>
  );
}
