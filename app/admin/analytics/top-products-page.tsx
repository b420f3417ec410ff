import type { RankedProduct } from "../../analytics/findings.ts";
import { AdminPage } from "../admin-page.tsx";
import { ANALYTICS_LINK } from "./analytics-link.ts";
import { TopProductsCard } from "./top-products-card.tsx";

/** Shows the full list of the most saved products. */
export function TopProductsPage({ products }: { products: readonly RankedProduct[] }) {
  return (
    <AdminPage title="Top products" back={ANALYTICS_LINK}>
      <TopProductsCard products={products} more={false} />
    </AdminPage>
  );
}
