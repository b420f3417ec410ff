import { BlockStack, Card, DescriptionList, Layout, Link, Text } from "@shopify/polaris";
import type { ListView } from "../../wishlists/staff-view.ts";
import { AdminPage } from "../admin-page.tsx";
import { useShopTime } from "../shop-time.tsx";
import { ItemsCard } from "./items-card.tsx";
import { countOf, customerUrl, nameOf } from "./owner.ts";
import { ShareCard } from "./share-card.tsx";

function Facts({ list, domain }: { list: ListView; domain: string }) {
  const { day, minute } = useShopTime();
  const { owner, itemCount, createdAt, updatedAt } = list;
  const url = customerUrl(domain, owner);
  return (
    <Card>
      <BlockStack gap="200">
        <Text as="h2" variant="headingMd">
          Wishlist
        </Text>
        <DescriptionList
          gap="tight"
          items={[
            {
              term: "Whose",
              description:
                owner.kind === "guest" ? (
                  "A guest, until they log in"
                ) : url === undefined ? (
                  <span style={{ overflowWrap: "anywhere" }}>{owner.customerId}</span>
                ) : (
                  <Link url={url} target="_top">
                    {owner.customerId}
                  </Link>
                ),
            },
            { term: "Saved", description: countOf(itemCount) },
            { term: "Begun", description: day(createdAt) },
            { term: owner.kind === "guest" ? "Used" : "Changed", description: minute(updatedAt) },
          ]}
        />
        {owner.kind === "customer" && (
          <Link url={`/app/wishlists/audit?customer=${encodeURIComponent(owner.customerId)}`}>What staff changed</Link>
        )}
      </BlockStack>
    </Card>
  );
}

/** A customer's or guest's list, for those who help them. */
export function WishlistPage(props: { list: ListView; domain: string; sharingNeeds: string | undefined }) {
  const { list, domain, sharingNeeds } = props;
  return (
    <AdminPage title={nameOf(list.owner, list.wishlistId)} back={{ label: "Wishlists", url: "/app/wishlists" }}>
      <Layout>
        <Layout.Section>
          <ItemsCard list={list} />
        </Layout.Section>
        <Layout.Section variant="oneThird">
          <BlockStack gap="400">
            <Facts list={list} domain={domain} />
            <ShareCard list={list} sharingNeeds={sharingNeeds} />
          </BlockStack>
        </Layout.Section>
      </Layout>
    </AdminPage>
  );
}
