import { Badge, BlockStack, Box, Card, InlineStack, Link, Text } from "@shopify/polaris";
import type { Found, FoundCustomer } from "../../wishlists/staff/view.ts";
import { ListTable } from "../list-table.tsx";
import { formatCount, formatNumber } from "../format.ts";
import { customerUrl } from "./owner-labels.ts";

function Name({ customer: { name, customerId, list } }: { customer: FoundCustomer }) {
  const url = list ? `/app/wishlists/${list.wishlistId}` : customerUrl(customerId);
  const text = (
    <Text as="span" fontWeight="semibold" breakWord>
      {name}
    </Text>
  );
  if (url === undefined) return text;
  return (
    <Link url={url} dataPrimaryLink monochrome removeUnderline {...(list ? {} : { target: "_top" })}>
      {text}
    </Link>
  );
}

function Saved({ customer: { list } }: { customer: FoundCustomer }) {
  if (!list) return <Badge>No wishlist</Badge>;
  const items = formatCount(list.itemCount, "item");
  return <Text as="span">{list.lists > 1 ? `${items} in ${list.lists} lists` : items}</Text>;
}

function Cells({ customer }: { customer: FoundCustomer }) {
  return (
    <>
      <td>
        <div style={{ maxWidth: "24rem", whiteSpace: "normal" }}>
          <Name customer={customer} />
        </div>
      </td>
      <td>{customer.email}</td>
      <td>
        <Saved customer={customer} />
      </td>
    </>
  );
}

function NarrowRow({ customer }: { customer: FoundCustomer }) {
  return (
    <Box padding="400" width="100%">
      <BlockStack gap="100">
        <InlineStack align="space-between" blockAlign="start" gap="200">
          <Name customer={customer} />
          <Saved customer={customer} />
        </InlineStack>
        <Text as="span" tone="subdued" breakWord>
          {customer.email}
        </Text>
      </BlockStack>
    </Box>
  );
}

/** Lists the customers that a search found. Customers without a wishlist link to their page in Shopify. */
export function CustomerResults({ found: { customers, more } }: { found: Extract<Found, { customers: unknown }> }) {
  const count = customers.length;
  return (
    <div role="status">
      <Card padding="0">
        <Box padding="400">
          <BlockStack gap="100">
            <Text as="h2" variant="headingMd">
              {count === 1 ? "1 customer found" : `${formatNumber(count)} customers found`}
            </Text>
            {more && (
              <Text as="p" tone="subdued">
                More customers match. Enter more of the name or email to narrow your search.
              </Text>
            )}
          </BlockStack>
        </Box>
        <ListTable
          label="Customers found"
          hasLinks
          columns={[{ title: "Customer" }, { title: "Email" }, { title: "Wishlist" }]}
          rows={customers.map((customer) => ({
            id: customer.customerId,
            cells: <Cells customer={customer} />,
            narrow: <NarrowRow customer={customer} />,
          }))}
        />
      </Card>
    </div>
  );
}
