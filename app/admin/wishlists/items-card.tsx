import { Banner, BlockStack, Box, Button, Card, EmptyState, InlineStack, Text, useBreakpoints } from "@shopify/polaris";
import type { ListedItem, ListView } from "../../wishlists/staff-view.ts";
import { ConfirmModal } from "../confirm-modal.tsx";
import { useForm } from "../form.ts";
import { ListPages } from "../list-pages.tsx";
import { useShopTime } from "../shop-time.tsx";
import { itemName, keyOf, Product, StockBadge } from "./item-parts.tsx";
import { ItemsTable } from "./items-table.tsx";
import { countOf } from "./owner.ts";

const REMOVE = "remove-items";

/** A phone has no boxes to tick: there each item has its own button. */
function NarrowItem({ item, onRemove }: { item: ListedItem; onRemove: () => void }) {
  const { minute } = useShopTime();
  return (
    <Box padding="400" width="100%">
      <BlockStack gap="150">
        <Product item={item} />
        <InlineStack align="space-between" gap="200" blockAlign="center">
          <InlineStack gap="200" blockAlign="center">
            <StockBadge stock={item.stock} />
            <Text as="span" tone="subdued" variant="bodySm">
              {minute(item.addedAt)}
            </Text>
          </InlineStack>
          <Button variant="plain" tone="critical" accessibilityLabel={`Remove ${itemName(item)}`} onClick={onRemove}>
            Remove
          </Button>
        </InlineStack>
      </BlockStack>
    </Box>
  );
}

function Items({ items, onRemove }: { items: ListView["items"]; onRemove: (keys: readonly string[]) => void }) {
  const { smDown: narrow } = useBreakpoints();
  if (!narrow) return <ItemsTable items={items} onRemove={onRemove} />;
  return (
    <div className="list-table">
      <ul aria-label="Items">
        {items.map((item) => (
          <li key={keyOf(item)}>
            <NarrowItem item={item} onRemove={() => onRemove([keyOf(item)])} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function told({ removed }: { removed: number }): void {
  shopify.toast.show(removed === 0 ? "Already removed" : `${countOf(removed)} removed`);
}

/** What is saved, newest first, and what of it is to be removed. */
export function ItemsCard({ list }: { list: ListView }) {
  const { wishlistId, owner, items, page, pages } = list;
  const { set, list: field, submit, problem } = useForm<{ removed: number }>("remove", { items: [] }, { onDone: told });
  const onRemove = (keys: readonly string[]): void => {
    set("items", keys);
    void shopify.modal.show(REMOVE);
  };
  return (
    <BlockStack gap="400">
      {problem !== undefined && (
        <Banner tone="critical" title="No items removed">
          <p>{problem}</p>
        </Banner>
      )}
      {items.length === 0 ? (
        <Card>
          <EmptyState heading="No saved items" image="">
            <p>Items appear here when the shopper saves them.</p>
          </EmptyState>
        </Card>
      ) : (
        <Card padding="0">
          <Items items={items} onRemove={onRemove} />
          <ListPages
            of="items"
            label={`Page ${page} of ${pages}`}
            previous={page > 1 ? `/app/wishlists/${wishlistId}?page=${page - 1}` : undefined}
            next={page < pages ? `/app/wishlists/${wishlistId}?page=${page + 1}` : undefined}
          />
        </Card>
      )}
      <ConfirmModal
        id={REMOVE}
        title={`Remove ${countOf(field("items").selected.length)}?`}
        action="Remove"
        onConfirm={submit}
      >
        {owner.kind === "customer"
          ? "The customer sees the change right away. Webhooks are sent. Analytics don't change."
          : "The guest sees the change right away. Analytics don't change."}
      </ConfirmModal>
    </BlockStack>
  );
}
