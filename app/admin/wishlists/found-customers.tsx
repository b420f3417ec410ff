import { Badge, BlockStack, Box, Card, InlineStack, Link, Text } from "@shopify/polaris";
import type { Found, FoundCustomer } from "../../wishlists/staff-view.ts";
import { ListTable } from "../list-table.tsx";
import { readable } from "../numbers.ts";
import { countOf, customerUrl } from "./owner.ts";

function Name({ customer: { name, customerId, list } }: { customer: FoundCustomer }) {
  const url = list ? `/app/wishlists/${list.wishlistId}` : customerUrl(customerId);
  const shown = (
    <Text as="span" fontWeight="semibold" breakWord>
      {name}
    </Text>
  );
  if (url === undefined) return shown;
  return (
    <Link url={url} dataPrimaryLink monochrome removeUnderline {...(list ? {} : { target: "_top" })}>
      {shown}
    </Link>
  );
}

function Saved({ customer: { list } }: { customer: FoundCustomer }) {
  return list ? <Text as="span">{countOf(list.itemCount)}</Text> : <Badge>No wishlist</Badge>;
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

/** Customers whom a search found. Those without a wishlist lead to their page in Shopify. */
export function FoundCustomers({ found: { customers, more } }: { found: Extract<Found, { customers: unknown }> }) {
  const count = customers.length;
  return (
    <div role="status">
      <Card padding="0">
        <Box padding="400">
          <BlockStack gap="100">
            <Text as="h2" variant="headingMd">
              {count === 1 ? "1 customer found" : `${readable(count)} customers found`}
            </Text>
            {more && (
              <Text as="p" tone="subdued">
                More customers match. Add a word to narrow your search.
              </Text>
            )}
          </BlockStack>
        </Box>
        <ListTable
          of="Customers found"
          opens
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
