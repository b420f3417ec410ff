import { Button, Text } from "@shopify/polaris";
import type { SavedValue } from "../../analytics/findings.ts";
import type { People } from "../../wishlists/staff/view.ts";
import { LoadErrorCard } from "../analytics/load-error-card.tsx";
import { formatCount, formatNumber, formatPrice } from "../format.ts";
import { SummaryFigure, SummaryCard } from "./summary-card.tsx";

const TITLE = "Saved now";

/** Shows what is saved now, at today's prices, and by how many people. */
export function SavedCard(props: {
  saved: SavedValue | undefined;
  people: People | undefined;
  currency: string | null;
  storeUrl: string;
}) {
  const { saved, people, currency, storeUrl } = props;
  if (!saved || !people) return <LoadErrorCard title={TITLE} />;
  if (saved.items === 0) {
    return (
      <SummaryCard title={TITLE}>
        <Text as="p" tone="subdued">
          Nothing is saved right now. Open your store and save a product: it appears here right away.
        </Text>
        <div>
          <Button url={storeUrl} external>
            View your store
          </Button>
        </div>
      </SummaryCard>
    );
  }
  const basis =
    saved.among === undefined
      ? ""
      : ` Items and value are those of your ${formatNumber(saved.among)} most saved products.`;
  return (
    <SummaryCard title={TITLE} more={{ label: "View wishlists", url: "/app/wishlists" }}>
      <SummaryFigure value={formatPrice(saved.value, currency)}>
        At today&apos;s prices: {formatCount(saved.items, "item")}, saved by {people.more ? "more than " : ""}
        {formatCount(people.people, "person", "people")}.{basis}
      </SummaryFigure>
    </SummaryCard>
  );
}
