import { BlockStack, Box, Card, InlineStack, Link, Text } from "@shopify/polaris";
import { alertKindSchema } from "../../alerts/kinds.ts";
import type { NamedProduct } from "../../analytics/findings.ts";
import { productCustomersPath, productPath } from "../../analytics/product-path.ts";
import type { CustomerNames } from "../../customers/customer-names.ts";
import type { ProductCustomer, ProductCustomers } from "../../wishlists/staff/view.ts";
import { AdminPage } from "../admin-page.tsx";
import { ALERT_LABELS } from "../customer-alerts/alert-labels.ts";
import { EmptyList } from "../empty-list.tsx";
import { formatCount, formatNumber, formatPrice } from "../format.ts";
import { ListPagination } from "../list-pagination.tsx";
import { ListTable } from "../list-table.tsx";
import { useShopDates } from "../shop-dates.tsx";
import { customerTitle, findCustomerName } from "../wishlists/owner-labels.ts";
import { DownloadButton } from "./download-button.tsx";
import { productTitle } from "./product-name.tsx";
import { variantTitle } from "./variant-title.ts";

interface RowProps {
  row: ProductCustomer;
  names: CustomerNames;
  currency: string | null;
}

function Customer({ row: { customerId, wishlistId }, names }: RowProps) {
  const email = findCustomerName(names, customerId)?.email;
  return (
    <BlockStack gap="050" inlineAlign="start">
      <Link url={`/app/wishlists/${wishlistId}`} dataPrimaryLink monochrome removeUnderline>
        <Text as="span" fontWeight="semibold" breakWord>
          {customerTitle(names, customerId)}
        </Text>
      </Link>
      {email !== undefined && (
        <Text as="span" tone="subdued" variant="bodySm" breakWord>
          {email}
        </Text>
      )}
    </BlockStack>
  );
}

function variantOf({ variantId, variantTitle: title, quantity }: ProductCustomer): string {
  const name = title === null ? `Variant ${variantId}` : (variantTitle(title) ?? "Default variant");
  return quantity > 1 ? `${formatNumber(quantity)} × ${name}` : name;
}

/** Returns the kinds of alerts that a customer has asked for. A kind of the next release has no label yet. */
function alertsOf({ alerts }: ProductCustomer): string {
  return alerts
    .flatMap((kind) => alertKindSchema.safeParse(kind).data ?? [])
    .map((kind) => ALERT_LABELS[kind].label)
    .join(", ");
}

function listOf({ listName, isDefault }: ProductCustomer): string {
  return listName ?? (isDefault ? "Default list" : "List without a name");
}

function Cells(props: RowProps) {
  const { row, currency } = props;
  const { formatDateTime } = useShopDates();
  return (
    <>
      <td>
        <div style={{ maxWidth: "18rem", whiteSpace: "normal" }}>
          <Customer {...props} />
        </div>
      </td>
      <td>
        <div style={{ maxWidth: "14rem", whiteSpace: "normal" }}>{variantOf(row)}</div>
      </td>
      <td>
        <div style={{ maxWidth: "12rem", whiteSpace: "normal", overflowWrap: "anywhere" }}>{listOf(row)}</div>
      </td>
      <td>{formatDateTime(row.savedAt)}</td>
      <td className="list-table-end">{row.savedPrice === null ? "–" : formatPrice(row.savedPrice, currency)}</td>
      <td>
        <div style={{ maxWidth: "14rem", whiteSpace: "normal" }}>{alertsOf(row) || "–"}</div>
      </td>
    </>
  );
}

function NarrowRow(props: RowProps) {
  const { row, currency } = props;
  const { formatDateTime } = useShopDates();
  const alerts = alertsOf(row);
  return (
    <Box padding="400" width="100%">
      <BlockStack gap="100">
        <InlineStack align="space-between" blockAlign="start" gap="200" wrap={false}>
          <Customer {...props} />
          <Text as="span">{row.savedPrice === null ? "" : formatPrice(row.savedPrice, currency)}</Text>
        </InlineStack>
        <Text as="span" breakWord>
          {variantOf(row)}, {listOf(row)}
        </Text>
        <Text as="span" tone="subdued" variant="bodySm">
          Saved {formatDateTime(row.savedAt)}
        </Text>
        {alerts !== "" && (
          <Text as="span" tone="subdued" variant="bodySm">
            Asked for: {alerts}
          </Text>
        )}
      </BlockStack>
    </Box>
  );
}

/** Says who has the product, and that guests are not listed. */
export function describePeople({ customers, guests, more }: Omit<ProductCustomers, "listed" | "hasNext">): string {
  const counts = [formatCount(customers, "customer"), ...(guests > 0 ? [formatCount(guests, "guest")] : [])];
  const people = `${more ? "More than " : ""}${counts.join(" and ")}`;
  return `${people} ${customers + guests === 1 && !more ? "has" : "have"} it in a list now.`;
}

/** Lists the customers who have a product in a list, newest save first. */
export function ProductCustomersPage(
  props: ProductCustomers & {
    product: NamedProduct;
    page: number;
    names: CustomerNames;
    currency: string | null;
  },
) {
  const { product, listed, hasNext, page, names, currency, more } = props;
  const title = productTitle(product);
  return (
    <AdminPage title="Customers who saved it" back={{ label: title, url: productPath(product.productId) }} fullWidth>
      {listed.length === 0 && page === 1 ? (
        <Card>
          <EmptyList glyph="heart" heading="No customer has it in a list now">
            <p>{describePeople(props)} Guests are not listed, because they can&apos;t be reached.</p>
          </EmptyList>
        </Card>
      ) : (
        <Card padding="0">
          <Box padding="400">
            <InlineStack align="space-between" blockAlign="start" gap="300">
              <div style={{ flex: "1 1 16rem", minWidth: 0 }}>
                <BlockStack gap="100">
                  <Text as="h2" variant="headingMd" breakWord>
                    {title}
                  </Text>
                  <Text as="p" tone="subdued">
                    {describePeople(props)}
                    {more ? " Of so many, not all are listed." : ""}
                  </Text>
                </BlockStack>
              </div>
              <DownloadButton
                path="/app/analytics/customers"
                query={{ product: product.productId }}
                content="customers who saved it"
              />
            </InlineStack>
          </Box>
          <ListTable
            label="Customers who saved it"
            hasLinks
            columns={[
              { title: "Customer" },
              { title: "Variant" },
              { title: "List" },
              { title: "Saved" },
              { title: "Price when saved", alignment: "end" },
              { title: "Asked for alerts" },
            ]}
            rows={listed.map((row) => ({
              id: `${row.wishlistId} ${row.variantId}`,
              cells: <Cells {...{ row, names, currency }} />,
              narrow: <NarrowRow {...{ row, names, currency }} />,
            }))}
          />
          <ListPagination
            items="customers"
            previous={page > 1 ? productCustomersPath(product.productId, page - 1) : undefined}
            next={hasNext ? productCustomersPath(product.productId, page + 1) : undefined}
          />
        </Card>
      )}
    </AdminPage>
  );
}
