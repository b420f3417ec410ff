import { BlockStack, Card, InlineStack, Link, Text } from "@shopify/polaris";
import type { ReactNode } from "react";

/** Shows a part of what wishlists earn and hold. */
export function SummaryCard(props: {
  title: string;
  /** the page with more about it */
  more?: { label: string; url: string };
  children: ReactNode;
}) {
  const { title, more, children } = props;
  return (
    <Card>
      <BlockStack gap="300">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <Text as="h2" variant="headingMd">
            {title}
          </Text>
          {more && (
            <Link url={more.url} removeUnderline>
              {more.label}
            </Link>
          )}
        </InlineStack>
        {children}
      </BlockStack>
    </Card>
  );
}

/** A number with its unit, or an amount. */
export function SummaryFigure({ value, children }: { value: string; children: ReactNode }) {
  return (
    <BlockStack gap="050">
      <Text as="p" variant="headingXl" numeric>
        {value}
      </Text>
      <Text as="p" tone="subdued">
        {children}
      </Text>
    </BlockStack>
  );
}
