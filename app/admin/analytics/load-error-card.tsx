import { useRevalidator } from "@remix-run/react";
import { Banner, BlockStack, Card, Text } from "@shopify/polaris";

/** Replaces a card whose data couldn't be loaded. The other cards are unaffected. @param props.title undefined for a card whose title is beside it */
export function LoadErrorCard({ title }: { title?: string }) {
  const { revalidate, state } = useRevalidator();
  return (
    <Card>
      <BlockStack gap="300">
        {title !== undefined && (
          <Text as="h2" variant="headingMd">
            {title}
          </Text>
        )}
        <Banner
          tone="critical"
          title="This section couldn't be loaded"
          action={{ content: "Try again", onAction: revalidate, loading: state !== "idle" }}
        />
      </BlockStack>
    </Card>
  );
}
