import type { OutOfStock } from "../../analytics/findings.ts";
import { AdminPage } from "../admin-page.tsx";
import { useAnalyticsLink } from "./analytics-link.ts";
import { OutOfStockCard } from "./out-of-stock-card.tsx";

/** Shows the full list of saved variants that are out of stock. */
export function OutOfStockPage(props: { wanted: OutOfStock; currency: string | null }) {
  return (
    <AdminPage title="Saved but out of stock" back={useAnalyticsLink()}>
      <OutOfStockCard {...props} more={false} />
    </AdminPage>
  );
}
