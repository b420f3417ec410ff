import { BlockStack, Card, InlineStack, ProgressBar, Text } from "@shopify/polaris";
import type { SetupState } from "../../shops/views.ts";
import { formatNumber } from "../format.ts";
import { usePolling } from "../use-polling.ts";

const POLL_INTERVAL_MS = 3_000;

/** Shows the progress of the product sync. */
export function CatalogProgress({ seen, total, failedReason }: NonNullable<SetupState["sync"]>) {
  usePolling(true, POLL_INTERVAL_MS);
  // Products created during the sync count as seen but not in the total.
  const percent = total === undefined || total === 0 ? 0 : Math.min(99, Math.floor((100 * seen) / total));
  return (
    <Card>
      <BlockStack gap="300">
        <InlineStack align="space-between" gap="200">
          <Text as="h2" variant="headingMd" id="catalog-progress">
            Syncing your products
          </Text>
          <Text as="span" tone="subdued" numeric>
            {formatNumber(seen)}
            {total === undefined ? "" : ` of ${formatNumber(total)}`}
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
