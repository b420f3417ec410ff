import type { RankedProduct } from "../../analytics/findings.ts";
import { AdminPage } from "../admin-page.tsx";
import { ANALYTICS } from "./analytics-link.ts";
import { RankedProducts } from "./ranked-products.tsx";

/** The hundred products that are saved most. */
export function TopProductsPage({ products }: { products: readonly RankedProduct[] }) {
  return (
    <AdminPage title="Top products" back={ANALYTICS}>
      <RankedProducts products={products} more={false} />
    </AdminPage>
  );
}
