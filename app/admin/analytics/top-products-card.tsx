import { Button } from "@shopify/polaris";
import type { RankedProduct } from "../../analytics/findings.ts";
import { SaveCountTable } from "./save-count-table.tsx";
import { DownloadButton } from "./download-button.tsx";
import { ListCard, NoRows } from "./list-card.tsx";
import { useSpanQuery } from "./analytics-link.ts";
import { ProductImage, ProductName } from "./product-name.tsx";

/** Lists the most saved products. @param more whether to link to the full list */
export function TopProductsCard({ products, more }: { products: readonly RankedProduct[]; more: boolean }) {
  const query = useSpanQuery();
  return (
    <ListCard
      title="Top products"
      description="Products in wishlists right now. The period doesn't apply."
      actions={
        products.length > 0 && (
          <>
            {more && (
              <Button url={`/app/analytics/products${query}`} accessibilityLabel="Show more top products">
                Show more
              </Button>
            )}
            <DownloadButton query={{ table: "top-products" }} content="top products" />
          </>
        )
      }
    >
      {products.length === 0 ? (
        <NoRows>No products are saved right now.</NoRows>
      ) : (
        <SaveCountTable
          label="Top products"
          hasLinks
          heading="Product"
          columns={[]}
          rows={products.map((product) => ({
            id: product.productId,
            image: <ProductImage url={product.imageUrl} />,
            name: <ProductName product={product} />,
            details: [],
            count: product.wishlistCount,
          }))}
        />
      )}
    </ListCard>
  );
}
