import { Button, Link } from "@shopify/polaris";
import type { OutOfStock } from "../../analytics/findings.ts";
import { formatPrice, formatNumber } from "../format.ts";
import { SaveCountTable } from "./save-count-table.tsx";
import { DownloadButton } from "./download-button.tsx";
import { ListCard, NoRows } from "./list-card.tsx";
import { useSpanQuery } from "./analytics-link.ts";
import { ProductImage, ProductName } from "./product-name.tsx";
import { variantTitle } from "./variant-title.ts";

/** Leads to the page in Shopify on which a variant's inventory is changed. Ids of other systems have none. */
function InventoryLink({ productId, variantId }: { productId: string; variantId: string }) {
  if (!/^\d+$/.test(productId) || !/^\d+$/.test(variantId)) return null;
  return (
    <Link url={`shopify://admin/products/${productId}/variants/${variantId}`} target="_top">
      Inventory
    </Link>
  );
}

/** Lists saved variants that are out of stock. @param more whether to link to the full list */
export function OutOfStockCard(props: { wanted: OutOfStock; more: boolean; currency: string | null }) {
  const { more, currency } = props;
  const { among, variants } = props.wanted;
  const query = useSpanQuery();
  const basis = among === undefined ? "" : ` Based on your ${formatNumber(among)} most saved products.`;
  return (
    <ListCard
      title="Saved but out of stock"
      description={`Saved variants that shoppers can't buy right now.${basis}`}
      actions={
        variants.length > 0 && (
          <>
            {more && (
              <Button url={`/app/analytics/out-of-stock${query}`} accessibilityLabel="Show more saved but out of stock">
                Show more
              </Button>
            )}
            <DownloadButton query={{ table: "out-of-stock" }} content="saved but out of stock" />
          </>
        )
      }
    >
      {variants.length === 0 ? (
        <NoRows>All saved products are in stock.</NoRows>
      ) : (
        <SaveCountTable
          label="Saved but out of stock"
          hasLinks
          heading="Variant"
          columns={["Price", "Stock"]}
          rows={variants.map(({ productId, productTitle, imageUrl, variantId, title, price, wishlistCount }) => ({
            id: variantId,
            image: <ProductImage url={imageUrl} />,
            name: (
              <ProductName
                product={{ productId, title: productTitle, imageUrl, deleted: false }}
                variant={variantTitle(title)}
              />
            ),
            details: [formatPrice(price, currency), <InventoryLink key="stock" {...{ productId, variantId }} />],
            count: wishlistCount,
          }))}
        />
      )}
    </ListCard>
  );
}
