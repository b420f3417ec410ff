import { BlockStack, Card, Layout, Link, Text } from "@shopify/polaris";
import type { ReactNode } from "react";
import type { CustomerNames } from "../../customers/customer-names.ts";
import type { ListView } from "../../wishlists/staff-view.ts";
import { AdminPage } from "../admin-page.tsx";
import { useShopTime } from "../shop-time.tsx";
import { ItemsCard } from "./items-card.tsx";
import { NamesUnavailable } from "./names-card.tsx";
import { countOf, customerUrl, nameIn, nameOf } from "./owner.ts";
import { ShareCard } from "./share-card.tsx";

interface Term {
  term: string;
  description: ReactNode;
}

function anywhere(text: string): ReactNode {
  return <span style={{ overflowWrap: "anywhere" }}>{text}</span>;
}

function customerTerms(customerId: string, names: CustomerNames): Term[] {
  const known = nameIn(names, customerId);
  const url = customerUrl(customerId);
  const linked = (text: string): ReactNode =>
    url === undefined ? (
      anywhere(text)
    ) : (
      <Link url={url} target="_top">
        {anywhere(text)}
      </Link>
    );
  if (!known) return [{ term: "Customer ID", description: linked(customerId) }];
  return [
    { term: "Customer", description: linked(known.name) },
    ...(known.email === undefined ? [] : [{ term: "Email", description: anywhere(known.email) }]),
    { term: "Customer ID", description: anywhere(customerId) },
  ];
}

/** Polaris' own description list breaks the terms in the middle of a word where the column is this narrow. */
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
  const { day, minute } = useShopTime();
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
            { term: "Items", description: countOf(itemCount) },
            { term: "Created", description: day(createdAt) },
            { term: owner.kind === "guest" ? "Last used" : "Last updated", description: minute(updatedAt) },
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

/** A customer's or guest's list, for those who help them. */
export function WishlistPage(props: { list: ListView; names: CustomerNames; sharingNeeds: string | undefined }) {
  const { list, names, sharingNeeds } = props;
  return (
    <AdminPage title={nameOf(list.owner, list.wishlistId, names)} back={{ label: "Wishlists", url: "/app/wishlists" }}>
      <Layout>
        <Layout.Section>
          <ItemsCard list={list} />
        </Layout.Section>
        <Layout.Section variant="oneThird">
          <BlockStack gap="400">
            <Facts list={list} names={names} />
            <ShareCard list={list} sharingNeeds={sharingNeeds} />
          </BlockStack>
        </Layout.Section>
      </Layout>
    </AdminPage>
  );
}
