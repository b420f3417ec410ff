import type { RankedProduct } from "../../analytics/findings.ts";
import { AdminPage } from "../admin-page.tsx";
import { useAnalyticsLink } from "./analytics-link.ts";
import { TopProductsCard } from "./top-products-card.tsx";

/** Shows the full list of the most saved products. */
export function TopProductsPage({ products }: { products: readonly RankedProduct[] }) {
  return (
    <AdminPage title="Top products" back={useAnalyticsLink()}>
      <TopProductsCard products={products} more={false} />
    </AdminPage>
  );
}
