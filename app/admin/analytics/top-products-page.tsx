import { Card } from "@shopify/polaris";
import type { RankedProduct } from "../../analytics/findings.ts";
import { AdminPage } from "../admin-page.tsx";
import { EmptyList } from "../empty-list.tsx";
import { useAnalyticsLink } from "./analytics-link.ts";
import { TopProductsCard } from "./top-products-card.tsx";

/** Shows the full list of the most saved products. */
export function TopProductsPage({ products }: { products: readonly RankedProduct[] }) {
  const back = useAnalyticsLink();
  return (
    <AdminPage title="Top products" back={back}>
      {products.length > 0 ? (
        <TopProductsCard products={products} more={false} />
      ) : (
        <Card>
          <EmptyList
            glyph="heart"
            heading="No products are saved right now"
            action={{ content: "View analytics", url: back.url }}
          >
            <p>Products appear here as shoppers save them, the most saved first.</p>
          </EmptyList>
        </Card>
      )}
    </AdminPage>
  );
}
