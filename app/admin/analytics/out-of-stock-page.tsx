import type { OutOfStock } from "../../analytics/findings.ts";
import { AdminPage } from "../admin-page.tsx";
import { ANALYTICS_LINK } from "./analytics-link.ts";
import { OutOfStockCard } from "./out-of-stock-card.tsx";

/** Shows the full list of saved variants that are out of stock. */
export function OutOfStockPage(props: { wanted: OutOfStock; currency: string | null }) {
  return (
    <AdminPage title="Saved but out of stock" back={ANALYTICS_LINK}>
      <OutOfStockCard {...props} more={false} />
    </AdminPage>
  );
}
