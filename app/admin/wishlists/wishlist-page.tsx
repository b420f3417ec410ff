import { Banner, BlockStack, Card, DescriptionList, Layout, Link, Text, useIndexResourceState } from "@shopify/polaris";
import { useCallback } from "react";
import type { ListView } from "../../wishlists/staff-view.ts";
import { AdminPage } from "../admin-page.tsx";
import { ConfirmModal } from "../confirm-modal.tsx";
import { useForm } from "../form.ts";
import { useShopTime } from "../shop-time.tsx";
import { ItemsCard, keyOf } from "./items-card.tsx";
import { countOf, customerUrl, nameOf } from "./owner.ts";
import { ShareCard } from "./share-card.tsx";

const REMOVE = "remove-items";

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
  const { selectedResources, allResourcesSelected, handleSelectionChange, clearSelection } = useIndexResourceState(
    list.items.map((item) => ({ id: keyOf(item) })),
  );
  const told = useCallback(
    ({ removed }: { removed: number }) => {
      clearSelection();
      shopify.toast.show(removed === 0 ? "It was gone already" : `${countOf(removed)} removed`);
    },
    [clearSelection],
  );
  const remove = useForm<{ removed: number }>("remove", { items: [] }, { onDone: told });
  const chosen = remove.list("items").selected.length;
  const name = nameOf(list.owner, list.wishlistId);
  return (
    <AdminPage title={name} back={{ label: "Wishlists", url: "/app/wishlists" }}>
      <Layout>
        <Layout.Section>
          <BlockStack gap="400">
            {remove.problem !== undefined && (
              <Banner tone="critical" title="Nothing was removed">
                <p>{remove.problem}</p>
              </Banner>
            )}
            <ItemsCard
              list={list}
              selection={{ selected: selectedResources, all: allResourcesSelected, onChange: handleSelectionChange }}
              onRemove={(keys) => {
                remove.set("items", keys);
                void shopify.modal.show(REMOVE);
              }}
            />
          </BlockStack>
        </Layout.Section>
        <Layout.Section variant="oneThird">
          <BlockStack gap="400">
            <Facts list={list} domain={domain} />
            <ShareCard list={list} sharingNeeds={sharingNeeds} />
          </BlockStack>
        </Layout.Section>
      </Layout>
      <ConfirmModal id={REMOVE} title={`Remove ${countOf(chosen)}?`} action="Remove" onConfirm={remove.submit}>
        {list.owner.kind === "customer"
          ? "Its owner sees at once that it is gone. Webhooks are told, and analytics stay as they are."
          : "Its owner sees at once that it is gone. Analytics stay as they are."}
      </ConfirmModal>
    </AdminPage>
  );
}
