import { BlockStack, Card, Page, SkeletonBodyText, SkeletonDisplayText } from "@shopify/polaris";

/** Stands in for a page whose data is loading. */
export function PageSkeleton() {
  return (
    <main aria-busy="true" aria-label="Loading">
      <Page>
        <BlockStack gap="400">
          {[3, 6].map((lines) => (
            <Card key={lines}>
              <BlockStack gap="400">
                <SkeletonDisplayText size="small" />
                <SkeletonBodyText lines={lines} />
              </BlockStack>
            </Card>
          ))}
        </BlockStack>
      </Page>
    </main>
  );
}
