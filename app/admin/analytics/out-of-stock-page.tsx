import { Card } from "@shopify/polaris";
import type { OutOfStock } from "../../analytics/findings.ts";
import { AdminPage } from "../admin-page.tsx";
import { EmptyList } from "../empty-list.tsx";
import { useAnalyticsLink } from "./analytics-link.ts";
import { OutOfStockCard } from "./out-of-stock-card.tsx";

/** Shows the full list of saved variants that are out of stock. */
export function OutOfStockPage(props: { wanted: OutOfStock; currency: string | null }) {
  const back = useAnalyticsLink();
  return (
    <AdminPage title="Saved but out of stock" back={back}>
      {props.wanted.variants.length > 0 ? (
        <OutOfStockCard {...props} more={false} />
      ) : (
        <Card>
          <EmptyList
            glyph="chart"
            heading="Nothing is out of stock"
            action={{ content: "View analytics", url: back.url }}
          >
            <p>
              Saved variants that shoppers can&apos;t buy appear here, the most saved first. All saved products are in
              stock now.
            </p>
          </EmptyList>
        </Card>
      )}
    </AdminPage>
  );
}
