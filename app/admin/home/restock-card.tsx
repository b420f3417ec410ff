import { BlockStack, InlineStack, Text } from "@shopify/polaris";
import type { OutOfStock } from "../../analytics/findings.ts";
import { LoadErrorCard } from "../analytics/load-error-card.tsx";
import { ProductImage, ProductName } from "../analytics/product-name.tsx";
import { variantTitle } from "../analytics/variant-title.ts";
import { formatCount } from "../format.ts";
import { SummaryCard } from "./summary-card.tsx";

const TITLE = "Worth restocking";

/** Lists the sold-out variants that most people have saved. */
export function RestockCard({ wanted, hasSaved }: { wanted: OutOfStock | undefined; hasSaved: boolean }) {
  if (!wanted) return <LoadErrorCard title={TITLE} />;
  if (wanted.variants.length === 0) {
    return (
      <SummaryCard title={TITLE}>
        <Text as="p" tone="subdued">
          {hasSaved
            ? "All saved products are in stock."
            : "When a saved product sells out, it appears here with the number of people who saved it."}
        </Text>
      </SummaryCard>
    );
  }
  return (
    <SummaryCard title={TITLE} more={{ label: "View all out of stock", url: "/app/analytics/out-of-stock" }}>
      <BlockStack as="ul" gap="200">
        {wanted.variants.map(({ productId, productTitle, imageUrl, variantId, title, wishlistCount }) => (
          <li key={variantId}>
            <InlineStack align="space-between" blockAlign="center" gap="300" wrap={false}>
              <InlineStack gap="300" blockAlign="center" wrap={false}>
                <ProductImage url={imageUrl} />
                <ProductName
                  product={{ productId, title: productTitle, imageUrl, deleted: false }}
                  variant={variantTitle(title)}
                />
              </InlineStack>
              <div style={{ flex: "none" }}>{formatCount(wishlistCount, "save")}</div>
            </InlineStack>
          </li>
        ))}
      </BlockStack>
    </SummaryCard>
  );
}
