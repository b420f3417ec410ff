import { BlockStack, Box, Button, Card, InlineStack, Text } from "@shopify/polaris";
import { useCallback, useRef } from "react";
import type { ListView, PricedItem } from "../../wishlists/staff/view.ts";
import { ConfirmModal } from "../confirm-modal.tsx";
import { FormProblem } from "../form-problem.tsx";
import { useForm } from "../use-form.ts";
import { formatCount } from "../format.ts";
import { ListPagination } from "../list-pagination.tsx";
import { useShopDates } from "../shop-dates.tsx";
import { EmptyList } from "../empty-list.tsx";
import { useNarrow } from "../use-narrow.ts";
import { ItemPrice, itemTitle, itemKey, ProductSummary, StockBadge } from "./item-cells.tsx";
import { ItemsTable } from "./items-table.tsx";

const REMOVE = "remove-items";

/** On a phone, each item has its own buttons instead of a checkbox. */
function NarrowItem(props: {
  item: PricedItem;
  currency: string | null;
  onRemove: () => void;
  onDraft: (() => void) | undefined;
}) {
  const { item, currency, onRemove, onDraft } = props;
  const { formatDateTime } = useShopDates();
  return (
    <Box padding="400" width="100%">
      <BlockStack gap="150">
        <ProductSummary item={item} />
        <ItemPrice item={item} currency={currency} />
        <InlineStack align="space-between" gap="200" blockAlign="center">
          <InlineStack gap="200" blockAlign="center">
            <StockBadge stock={item.stock} />
            <Text as="span" tone="subdued" variant="bodySm">
              {formatDateTime(item.addedAt)}
            </Text>
          </InlineStack>
        </InlineStack>
        <InlineStack gap="400">
          {onDraft && (
            <Button variant="plain" accessibilityLabel={`Add to draft order: ${itemTitle(item)}`} onClick={onDraft}>
              Add to draft order
            </Button>
          )}
          <Button variant="plain" tone="critical" accessibilityLabel={`Remove ${itemTitle(item)}`} onClick={onRemove}>
            Remove
          </Button>
        </InlineStack>
      </BlockStack>
    </Box>
  );
}

function Items(props: {
  items: readonly PricedItem[];
  currency: string | null;
  onRemove: (keys: readonly string[]) => void;
  /** undefined for a guest's list */
  onDraft: ((keys: readonly string[]) => void) | undefined;
}) {
  const { items, currency, onRemove, onDraft } = props;
  const narrow = useNarrow();
  if (!narrow) return <ItemsTable {...props} />;
  return (
    <div className="list-table">
      <ul aria-label="Items">
        {items.map((item) => (
          <li key={itemKey(item)}>
            <NarrowItem
              item={item}
              currency={currency}
              onRemove={() => onRemove([itemKey(item)])}
              onDraft={onDraft && (() => onDraft([itemKey(item)]))}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Lists the saved items, newest first, and removes selected ones. */
export function ItemsCard(props: {
  list: ListView;
  currency: string | null;
  /** puts items into a draft order; undefined for a guest's list */
  onDraft: ((keys: readonly string[]) => void) | undefined;
}) {
  const { list, currency, onDraft } = props;
  const { wishlistId, owner, items, page, pages } = list;
  const card = useRef<HTMLDivElement>(null);
  const onDone = useCallback(({ removed }: { removed: number }) => {
    shopify.toast.show(removed === 0 ? "Already removed" : `${formatCount(removed, "item")} removed`);
    // The button that was pressed is gone with its item.
    card.current?.focus();
  }, []);
  const form = useForm<{ removed: number }>("remove", { items: [] }, { onDone });
  const onRemove = (keys: readonly string[]): void => {
    form.set("items", keys);
    void shopify.modal.show(REMOVE);
  };
  return (
    <BlockStack gap="400">
      <FormProblem of={[form]} title="No items removed" />
      <div ref={card} tabIndex={-1} style={{ outline: "none" }} role="group" aria-label="Saved items">
        {items.length === 0 ? (
          <Card>
            <EmptyList glyph="heart" heading="No saved items">
              <p>Items appear here when the shopper saves them.</p>
            </EmptyList>
          </Card>
        ) : (
          <Card padding="0">
            <Items items={items} currency={currency} onRemove={onRemove} onDraft={onDraft} />
            <ListPagination
              items="items"
              label={`Page ${page} of ${pages}`}
              previous={page > 1 ? `/app/wishlists/${wishlistId}?page=${page - 1}` : undefined}
              next={page < pages ? `/app/wishlists/${wishlistId}?page=${page + 1}` : undefined}
            />
          </Card>
        )}
      </div>
      <ConfirmModal
        id={REMOVE}
        title={`Remove ${formatCount(form.list("items").selected.length, "item")}?`}
        action="Remove"
        onConfirm={form.submit}
      >
        {owner.kind === "customer"
          ? "The customer sees the change right away. Webhooks are sent. Analytics don't change."
          : "The guest sees the change right away. Analytics don't change."}
      </ConfirmModal>
    </BlockStack>
  );
}
