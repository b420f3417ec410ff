import type { OutOfStock } from "../../analytics/findings.ts";
import { AdminPage } from "../admin-page.tsx";
import { ANALYTICS } from "./analytics-link.ts";
import { WantedOutOfStock } from "./out-of-stock.tsx";

/** The hundred variants that are wanted most and can't be bought. */
export function OutOfStockPage(props: { wanted: OutOfStock; currency: string | null }) {
  return (
    <AdminPage title="Saved but out of stock" back={ANALYTICS}>
      <WantedOutOfStock {...props} more={false} />
    </AdminPage>
  );
}
