import { Button } from "@shopify/polaris";
import type { OutOfStock } from "../../analytics/findings.ts";
import { priceText, readable } from "../numbers.ts";
import { CountedTable } from "./counted-table.tsx";
import { DownloadButton } from "./download-button.tsx";
import { ListCard, NoRows } from "./list-card.tsx";
import { ProductImage, ProductName } from "./product-name.tsx";
import { variantTitle } from "./variant-title.ts";

/** What shoppers want and can't buy: what to order next. @param more whether there is a page with more of them */
export function WantedOutOfStock(props: { wanted: OutOfStock; more: boolean; currency: string | null }) {
  const { more, currency } = props;
  const { among, variants } = props.wanted;
  const extent = among === undefined ? "" : ` Based on your ${readable(among)} most saved products.`;
  return (
    <ListCard
      title="Saved but out of stock"
      says={`Saved variants that shoppers can't buy right now.${extent}`}
      actions={
        variants.length > 0 && (
          <>
            {more && (
              <Button url="/app/analytics/out-of-stock" accessibilityLabel="Show more saved but out of stock">
                Show more
              </Button>
            )}
            <DownloadButton query={{ table: "out-of-stock" }} what="saved but out of stock" />
          </>
        )
      }
    >
      {variants.length === 0 ? (
        <NoRows>All saved products are in stock.</NoRows>
      ) : (
        <CountedTable
          of="Saved but out of stock"
          opens
          heading="Variant"
          columns={["Price"]}
          rows={variants.map(({ productId, productTitle, imageUrl, variantId, title, price, wishlistCount }) => ({
            id: variantId,
            image: <ProductImage url={imageUrl} />,
            name: (
              <ProductName
                product={{ productId, title: productTitle, imageUrl, deleted: false }}
                variant={variantTitle(title)}
              />
            ),
            details: [priceText(price, currency)],
            count: wishlistCount,
          }))}
        />
      )}
    </ListCard>
  );
}
