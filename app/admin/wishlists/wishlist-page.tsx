import { BlockStack, Card, Layout, Link, Text } from "@shopify/polaris";
import type { ReactNode } from "react";
import type { CustomerNames } from "../../customers/customer-names.ts";
import type { ListView } from "../../wishlists/staff-view.ts";
import { formatCount } from "../format.ts";
import { AdminPage } from "../admin-page.tsx";
import { useShopDates } from "../shop-dates.tsx";
import { ItemsCard } from "./items-card.tsx";
import { NamesUnavailable } from "./customer-names-card.tsx";
import { customerUrl, findCustomerName, wishlistTitle } from "./owner-labels.ts";
import { ShareCard } from "./share-card.tsx";

interface Term {
  term: string;
  description: ReactNode;
}

function breakable(text: string): ReactNode {
  return <span style={{ overflowWrap: "anywhere" }}>{text}</span>;
}

function customerTerms(customerId: string, names: CustomerNames): Term[] {
  const known = findCustomerName(names, customerId);
  const url = customerUrl(customerId);
  const linked = (text: string): ReactNode =>
    url === undefined ? (
      breakable(text)
    ) : (
      <Link url={url} target="_top">
        {breakable(text)}
      </Link>
    );
  if (!known) return [{ term: "Customer ID", description: linked(customerId) }];
  return [
    { term: "Customer", description: linked(known.name) },
    ...(known.email === undefined ? [] : [{ term: "Email", description: breakable(known.email) }]),
    { term: "Customer ID", description: breakable(customerId) },
  ];
}

/** Lists terms in a narrow column, where Polaris' `DescriptionList` breaks words. */
function Terms({ terms }: { terms: readonly Term[] }) {
  return (
    <dl style={{ display: "grid", gap: "var(--p-space-200)", margin: 0 }}>
      {terms.map(({ term, description }) => (
        <div key={term}>
          <Text as="dt" tone="subdued" variant="bodySm">
            {term}
          </Text>
          <dd style={{ margin: 0 }}>{description}</dd>
        </div>
      ))}
    </dl>
  );
}

function Facts({ list, names }: { list: ListView; names: CustomerNames }) {
  const { formatDate, formatDateTime } = useShopDates();
  const { owner, itemCount, createdAt, updatedAt } = list;
  return (
    <Card>
      <BlockStack gap="200">
        <Text as="h2" variant="headingMd">
          Wishlist
        </Text>
        <Terms
          terms={[
            ...(owner.kind === "guest"
              ? [{ term: "Customer", description: "Guest who hasn't logged in" }]
              : customerTerms(owner.customerId, names)),
            { term: "Items", description: formatCount(itemCount, "item") },
            { term: "Created", description: formatDate(createdAt) },
            { term: owner.kind === "guest" ? "Last used" : "Last updated", description: formatDateTime(updatedAt) },
          ]}
        />
        <NamesUnavailable names={names} />
        {owner.kind === "customer" && (
          <Link url={`/app/wishlists/audit?customer=${encodeURIComponent(owner.customerId)}`}>Staff activity</Link>
        )}
      </BlockStack>
    </Card>
  );
}

/** Shows the wishlist of a customer or guest to support staff. */
export function WishlistPage(props: { list: ListView; names: CustomerNames; requiredPlan: string | undefined }) {
  const { list, names, requiredPlan } = props;
  return (
    <AdminPage
      title={wishlistTitle(list.owner, list.wishlistId, names)}
      back={{ label: "Wishlists", url: "/app/wishlists" }}
    >
      <Layout>
        <Layout.Section>
          <ItemsCard list={list} />
        </Layout.Section>
        <Layout.Section variant="oneThird">
          <BlockStack gap="400">
            <Facts list={list} names={names} />
            <ShareCard list={list} requiredPlan={requiredPlan} />
          </BlockStack>
        </Layout.Section>
      </Layout>
    </AdminPage>
  );
}
