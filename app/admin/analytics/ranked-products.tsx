import { Button } from "@shopify/polaris";
import type { RankedProduct } from "../../analytics/findings.ts";
import { CountedTable } from "./counted-table.tsx";
import { DownloadButton } from "./download-button.tsx";
import { ListCard, NoRows } from "./list-card.tsx";
import { ProductImage, ProductName } from "./product-name.tsx";

/** The products that are saved most now. @param more whether there is a page with more of them */
export function RankedProducts({ products, more }: { products: readonly RankedProduct[]; more: boolean }) {
  return (
    <ListCard
      title="Top products"
      says="Products in wishlists right now, whenever they were saved."
      actions={
        products.length > 0 && (
          <>
            {more && (
              <Button url="/app/analytics/products" accessibilityLabel="Show more top products">
                Show more
              </Button>
            )}
            <DownloadButton query={{ table: "top-products" }} what="top products" />
          </>
        )
      }
    >
      {products.length === 0 ? (
        <NoRows>No products are saved right now.</NoRows>
      ) : (
        <CountedTable
          of="Top products"
          opens
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
