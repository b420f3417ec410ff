import { useRevalidator } from "@remix-run/react";
import { BlockStack, Card, InlineStack, ProgressBar, Text } from "@shopify/polaris";
import { useEffect } from "react";
import { readable } from "../numbers.ts";

/** Milliseconds between two looks at a sync that is under way. */
const AGAIN = 3_000;

/** The store's products on their way into the app. */
export function CatalogProgress(props: {
  seen: number;
  /** undefined until Shopify has said */
  total: number | undefined;
  failedReason: string | undefined;
}) {
  const { seen, total, failedReason } = props;
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (state !== "idle") return undefined;
    const timer = setTimeout(revalidate, AGAIN);
    return () => clearTimeout(timer);
  }, [revalidate, state]);

  // A product that came meanwhile is seen and not in the total.
  const percent = total === undefined || total === 0 ? 0 : Math.min(99, Math.floor((100 * seen) / total));
  return (
    <Card>
      <BlockStack gap="300">
        <InlineStack align="space-between" gap="200">
          <Text as="h2" variant="headingMd" id="catalog-progress">
            Syncing your products
          </Text>
          <Text as="span" tone="subdued" numeric>
            {readable(seen)}
            {total === undefined ? "" : ` of ${readable(total)}`}
          </Text>
        </InlineStack>
        <ProgressBar progress={percent} size="small" ariaLabelledBy="catalog-progress" />
        <Text as="p" tone="subdued">
          {failedReason === undefined
            ? "Wishlist buttons already work. Product titles and images appear as the sync continues."
            : "Shopify didn't respond. The sync retries automatically."}
        </Text>
      </BlockStack>
    </Card>
  );
}
