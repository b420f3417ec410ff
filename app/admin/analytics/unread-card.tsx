import { useRevalidator } from "@remix-run/react";
import { Banner, BlockStack, Card, Text } from "@shopify/polaris";

/** In the place of a card whose data could not be read; the rest of the page has its own. */
export function UnreadCard({ title }: { title: string }) {
  const { revalidate, state } = useRevalidator();
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {title}
        </Text>
        <Banner
          tone="warning"
          title="This section couldn't be loaded"
          action={{ content: "Try again", onAction: revalidate, loading: state !== "idle" }}
        />
      </BlockStack>
    </Card>
  );
}
