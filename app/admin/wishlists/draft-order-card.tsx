import { Banner, BlockStack, Button, Card, InlineStack, Text, type BannerHandles } from "@shopify/polaris";
import { forwardRef, useEffect, useImperativeHandle, useRef } from "react";
import type { DraftOrderOutcome } from "../../orders/draft-order.ts";
import { OPTIONAL_SCOPES } from "../../shopify-sessions/scopes.ts";
import { formatCount } from "../format.ts";
import { FormProblem } from "../form-problem.tsx";
import { PermissionButton } from "../permission-button.tsx";
import { useRequestScope } from "../use-permission.ts";
import { itemTitle, StockBadge } from "./item-cells.tsx";
import { useDraftOrder, type DraftItem, type DraftOrder } from "./use-draft-order.ts";

function Created({ outcome }: { outcome: Extract<DraftOrderOutcome, { state: "created" }> }) {
  const { draftOrderId, name, soldOut } = outcome;
  const banner = useRef<BannerHandles>(null);
  // The button that was pressed is gone with the form.
  useEffect(() => banner.current?.focus(), []);
  return (
    <Banner
      ref={banner}
      tone="success"
      title={`Draft order ${name} created`}
      action={{ content: "Open in Shopify", url: `shopify://admin/draft_orders/${draftOrderId}`, target: "_top" }}
    >
      <p>
        {soldOut === 0
          ? "It reserves no inventory."
          : `${formatCount(soldOut, "item")} of it ${soldOut === 1 ? "is" : "are"} sold out. It reserves no inventory.`}
      </p>
    </Banner>
  );
}

/** Says why no draft order was created, or that it may have been. */
function NotCreated({
  outcome,
  leaveOut,
}: {
  outcome: DraftOrderOutcome;
  leaveOut: (keys: readonly string[]) => void;
}) {
  switch (outcome.state) {
    case "created":
      return null;
    case "not_permitted":
      return (
        <Banner tone="critical" title="No draft order was created">
          <p>This app may no longer create draft orders. Allow it again, then create the draft order.</p>
        </Banner>
      );
    case "unknown":
      return (
        <Banner
          tone="warning"
          title="The draft order may have been created"
          action={{ content: "Open draft orders", url: "shopify://admin/draft_orders", target: "_top" }}
        >
          <p>Shopify didn&apos;t respond in time. Check your draft orders before you create it again.</p>
        </Banner>
      );
    case "refused": {
      const { problem, items } = outcome;
      const action = { content: `Leave out ${formatCount(items.length, "item")}`, onAction: () => leaveOut(items) };
      return (
        <Banner tone="critical" title="No draft order was created" {...(items.length > 0 ? { action } : {})}>
          <p>{problem}</p>
        </Banner>
      );
    }
  }
}

function Item({ item, isRefused, onRemove }: { item: DraftItem; isRefused: boolean; onRemove: () => void }) {
  const { variantTitle, details } = item;
  const parts = [variantTitle, `Quantity ${details.quantity ?? 1}`, item.listName];
  return (
    <li>
      <InlineStack align="space-between" blockAlign="center" gap="200" wrap={false}>
        <BlockStack gap="050">
          <InlineStack gap="200" blockAlign="center">
            <Text as="span" fontWeight="semibold" breakWord tone={isRefused ? "critical" : "base"}>
              {itemTitle(item)}
            </Text>
            {item.stock !== "in" && <StockBadge stock={item.stock} />}
          </InlineStack>
          <Text as="span" tone="subdued" variant="bodySm" breakWord>
            {parts.filter((part) => part !== undefined).join(" · ")}
          </Text>
        </BlockStack>
        <Button variant="plain" accessibilityLabel={`Leave out ${itemTitle(item)}`} onClick={onRemove}>
          Leave out
        </Button>
      </InlineStack>
    </li>
  );
}

export type DraftOrderHandle = Pick<DraftOrder, "add">;

/**
 * Collects selected items, also of several lists, and creates a draft order of them in Shopify. It keeps them itself, so that an added item does not
 * render the whole page again. Nothing is shown without items.
 */
export const DraftOrderCard = forwardRef<
  DraftOrderHandle,
  {
    idempotencyKey: string;
    /** whether the app may create draft orders */
    isAllowed: boolean;
    /** called when nothing is left to show */
    onEmpty: () => void;
  }
>(function DraftOrderCard({ idempotencyKey, isAllowed, onEmpty }, handle) {
  const draft = useDraftOrder(idempotencyKey);
  const { items, left, outcome, form, add } = draft;
  useImperativeHandle(handle, () => ({ add }));
  const remove = (keys: readonly string[]): void => {
    draft.remove(keys);
    if (items.every(({ key }) => keys.includes(key))) onEmpty();
  };
  const cancel = (): void => {
    draft.clear();
    onEmpty();
  };
  const refused = new Set(outcome?.state === "refused" ? outcome.items : []);
  const needsPermission = !isAllowed || outcome?.state === "not_permitted";
  if (items.length === 0 && outcome === undefined && left === undefined) return null;
  if (outcome?.state === "created" && items.length === 0) return <Created outcome={outcome} />;
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          New draft order
        </Text>
        <FormProblem of={[form]} title="No draft order was created" />
        {outcome && <NotCreated outcome={outcome} leaveOut={remove} />}
        {left !== undefined && (
          <Text as="p" tone="subdued">
            {left}
          </Text>
        )}
        <ul
          aria-label="Items of the draft order"
          style={{ listStyle: "none", margin: 0, padding: 0, display: "grid", gap: "var(--p-space-200)" }}
        >
          {items.map((item) => (
            <Item key={item.key} item={item} isRefused={refused.has(item.key)} onRemove={() => remove([item.key])} />
          ))}
        </ul>
        {needsPermission && (
          <>
            <Text as="p" tone="subdued">
              To create draft orders, the app needs your permission. It reads no orders with it.
            </Text>
            <AllowDraftOrdersButton onAllowed={draft.dismiss} />
          </>
        )}
        <InlineStack gap="200" align="end">
          <Button onClick={cancel}>Cancel</Button>
          <Button
            variant="primary"
            disabled={!isAllowed || items.length === 0}
            loading={form.busy}
            onClick={form.submit}
          >
            Create draft order
          </Button>
        </InlineStack>
      </BlockStack>
    </Card>
  );
});

/** Requests the permission to create draft orders. The page needs the form `permission`. */
function AllowDraftOrdersButton({ onAllowed }: { onAllowed: () => void }) {
  const declined = "Permission declined. Nothing has changed.";
  const permission = useRequestScope(OPTIONAL_SCOPES.draftOrders, declined, onAllowed);
  return <PermissionButton permission={permission}>Allow draft orders</PermissionButton>;
}
