import { Banner, BlockStack, Card, InlineGrid, Link, Text } from "@shopify/polaris";
import { useRef, type ReactNode } from "react";
import type { MissingPlan } from "../../billing/plans.ts";
import type { CustomerNames } from "../../customers/customer-names.ts";
import type { AlertChoices } from "../../alerts/kinds.ts";
import type { CustomerOrders } from "../../orders/customer-orders.ts";
import type { ListView } from "../../wishlists/staff/view.ts";
import { formatCount, formatPrice } from "../format.ts";
import { AdminPage } from "../admin-page.tsx";
import { LoadErrorCard } from "../analytics/load-error-card.tsx";
import { ConfirmModal } from "../confirm-modal.tsx";
import { useForm } from "../use-form.ts";
import { useShopDates } from "../shop-dates.tsx";
import { FormProblem } from "../form-problem.tsx";
import { AddItemCard, useUndo } from "./add-item-card.tsx";
import { AlertsCard } from "./alerts-card.tsx";
import { ItemsCard } from "./items-card.tsx";
import { NamesUnavailable } from "./customer-names-card.tsx";
import { DraftOrderCard, type DraftOrderHandle } from "./draft-order-card.tsx";
import { DeletedListsCard } from "./deleted-lists-card.tsx";
import { ListsCard } from "./lists-card.tsx";
import { customerUrl, findCustomerName, listLabel, wishlistTitle } from "./owner-labels.ts";
import { ORDERS_TITLE, OrdersCard } from "./orders-card.tsx";
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

function Facts({ list, names, currency }: { list: ListView; names: CustomerNames; currency: string | null }) {
  const { formatDate, formatDateTime } = useShopDates();
  const { owner, itemCount, value, createdAt, updatedAt, wishlistId } = list;
  const isOnlyList = list.isDefault && list.name === undefined && list.lists.length === 1;
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
            ...(isOnlyList ? [] : [{ term: "List", description: breakable(listLabel(list)) }]),
            { term: "Items", description: formatCount(itemCount, "item") },
            { term: "Value at today's prices", description: formatPrice(value, currency) },
            { term: "Created", description: formatDate(createdAt) },
            { term: owner.kind === "guest" ? "Last used" : "Last updated", description: formatDateTime(updatedAt) },
          ]}
        />
        <NamesUnavailable names={names} />
        <Link url={`/app/wishlists/${wishlistId}/history`}>History</Link>
        {owner.kind === "customer" && (
          <Link url={`/app/wishlists/audit?customer=${encodeURIComponent(owner.customerId)}`}>Staff activity</Link>
        )}
      </BlockStack>
    </Card>
  );
}

const RESTORE = "restore-list";

function showRestored(): void {
  shopify.toast.show("List restored");
}

interface Props {
  list: ListView;
  names: CustomerNames;
  /** undefined for a guest, and when they could not be read, like the orders */
  alerts: AlertChoices | undefined;
  orders: CustomerOrders | undefined;
  /** ISO 4217 code of prices; null when unknown */
  currency: string | null;
  /** the plan that share links need; undefined when included */
  sharingPlan: MissingPlan | undefined;
  /** whether the app may create draft orders */
  canDraftOrders: boolean;
  idempotencyKey: string;
}

/** Shows a list of a customer or guest, and their other lists, to support staff. */
export function WishlistPage(props: Props) {
  const { owner, wishlistId } = props.list;
  // A draft order keeps its items while staff look at other lists of the customer, but not of another customer.
  return <OwnersPage key={owner.kind === "customer" ? owner.customerId : wishlistId} {...props} />;
}

function OwnersPage({ list, names, alerts, orders, currency, sharingPlan, canDraftOrders, idempotencyKey }: Props) {
  const { wishlistId, deletedAt } = list;
  const { formatDateTime } = useShopDates();
  // The page and not the list's row has the form, because a restored list has no row any more.
  const form = useForm("restore", { wishlistId: "" }, { onDone: showRestored });
  const onRestore = (id: string): void => {
    form.set("wishlistId", id);
    void shopify.modal.show(RESTORE);
  };
  const undo = useUndo();
  const column = useRef<HTMLDivElement>(null);
  const draft = useRef<DraftOrderHandle>(null);
  const isCustomer = list.owner.kind === "customer";
  const otherDeleted = list.deletedLists.filter((one) => one.wishlistId !== wishlistId);
  return (
    <AdminPage
      title={wishlistTitle(list.owner, wishlistId, names)}
      back={{ label: "Wishlists", url: "/app/wishlists" }}
    >
      {/* A grid keeps the width of its columns while the second one is not there yet, so that the table of items does not shift. */}
      <InlineGrid columns={{ xs: 1, md: ["twoThirds", "oneThird"] }} gap="400" alignItems="start">
        <div ref={column} tabIndex={-1} style={{ outline: "none" }}>
          <BlockStack gap="400">
            <FormProblem of={[form]} title="The list wasn't restored" />
            {deletedAt !== undefined && (
              <Banner
                tone="warning"
                title="This list was deleted"
                action={{ content: "Restore list", onAction: () => onRestore(wishlistId), loading: form.busy }}
              >
                <p>Deleted {formatDateTime(deletedAt)}.</p>
              </Banner>
            )}
            {(list.lists.length > 1 || deletedAt !== undefined) && <ListsCard view={list} />}
            <DraftOrderCard
              ref={draft}
              idempotencyKey={idempotencyKey}
              isAllowed={canDraftOrders}
              // The card is gone with its last item, and the button that was pressed with it.
              onEmpty={() => column.current?.focus()}
            />
            {deletedAt === undefined && isCustomer && (
              <AddItemCard key={`add ${wishlistId}`} wishlistId={wishlistId} lists={list.lists} undo={undo} />
            )}
            {/* Another list starts with nothing selected. */}
            {deletedAt === undefined && (
              <ItemsCard
                key={wishlistId}
                list={list}
                currency={currency}
                onDraft={isCustomer ? (keys) => draft.current?.add(list, keys) : undefined}
              />
            )}
            {orders && orders.orders.length > 0 && <OrdersCard {...orders} />}
            {isCustomer && !orders && <LoadErrorCard title={ORDERS_TITLE} />}
          </BlockStack>
        </div>
        <BlockStack gap="400">
          <Facts list={list} names={names} currency={currency} />
          {alerts && <AlertsCard choices={alerts} />}
          {isCustomer && !alerts && <LoadErrorCard title="Alerts" />}
          {deletedAt === undefined && <ShareCard key={wishlistId} list={list} missingPlan={sharingPlan} />}
          {otherDeleted.length > 0 && <DeletedListsCard lists={otherDeleted} onRestore={onRestore} />}
        </BlockStack>
      </InlineGrid>
      <ConfirmModal id={RESTORE} title="Restore this list?" action="Restore" isCritical={false} onConfirm={form.submit}>
        The customer sees the list again, with its items but without a share link. Webhooks are sent. Analytics
        don&apos;t change.
      </ConfirmModal>
    </AdminPage>
  );
}
