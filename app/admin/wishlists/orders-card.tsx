import { BlockStack, Box, Card, InlineStack, Link, Text } from "@shopify/polaris";
import type { CustomerOrder, CustomerOrders } from "../../orders/customer-orders.ts";
import { formatCount, formatPrice } from "../format.ts";
import { ListTable } from "../list-table.tsx";
import { useShopDates } from "../shop-dates.tsx";

/** Title of the card. */
export const ORDERS_TITLE = "Orders with saved items";

/** Titles of an order that are shown. */
const SHOWN = 3;

function Products({ order: { products } }: { order: CustomerOrder }) {
  const more = products.length - SHOWN;
  return (
    <Text as="span" breakWord>
      {products.slice(0, SHOWN).join(", ")}
      {more > 0 ? ` and ${more} more` : ""}
    </Text>
  );
}

/** Leads to the order in Shopify. */
function Ordered({ order: { orderId, orderedAt } }: { order: CustomerOrder }) {
  const { formatDateTime } = useShopDates();
  const date = formatDateTime(orderedAt);
  if (!/^\d+$/.test(orderId)) return <span>{date}</span>;
  return (
    <Link url={`shopify://admin/orders/${orderId}`} target="_top" accessibilityLabel={`Order of ${date} in Shopify`}>
      {date}
    </Link>
  );
}

/** Lists a customer's orders that contain items saved before, newest first. */
export function OrdersCard({ orders, more }: CustomerOrders) {
  return (
    <Card padding="0">
      <Box padding="400">
        <BlockStack gap="100">
          <Text as="h2" variant="headingMd">
            {ORDERS_TITLE}
          </Text>
          <Text as="p" tone="subdued">
            What the customer ordered after saving it, less refunds.
            {more ? ` The newest ${formatCount(orders.length, "order")}.` : ""}
          </Text>
        </BlockStack>
      </Box>
      <ListTable
        label={ORDERS_TITLE}
        columns={[{ title: "Ordered" }, { title: "Saved items" }, { title: "Paid", alignment: "end" }]}
        rows={orders.map((order) => ({
          id: order.orderId,
          cells: (
            <>
              <td>
                <Ordered order={order} />
              </td>
              <td>
                <div style={{ maxWidth: "26rem", whiteSpace: "normal" }}>
                  <Products order={order} />
                </div>
              </td>
              <td className="list-table-end">{formatPrice(order.revenue, order.currency)}</td>
            </>
          ),
          narrow: (
            <Box padding="400" width="100%">
              <BlockStack gap="100">
                <InlineStack align="space-between" blockAlign="start" gap="200">
                  <Ordered order={order} />
                  <Text as="span">{formatPrice(order.revenue, order.currency)}</Text>
                </InlineStack>
                <Products order={order} />
              </BlockStack>
            </Box>
          ),
        }))}
      />
    </Card>
  );
}
