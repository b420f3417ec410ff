import { BlockStack, Card, Page, SkeletonBodyText, SkeletonDisplayText } from "@shopify/polaris";
import { sectionOf } from "./sections.ts";

/** Stands in for a page whose data is loading, under the title of its section. @param path the page's path */
export function PageSkeleton({ path }: { path: string }) {
  return (
    <main aria-busy="true" aria-label="Loading">
      <ui-title-bar title={sectionOf(path)} />
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
