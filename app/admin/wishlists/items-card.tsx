import {
  Badge,
  BlockStack,
  Box,
  Button,
  Card,
  EmptyState,
  IndexTable,
  InlineStack,
  Text,
  Thumbnail,
  useBreakpoints,
} from "@shopify/polaris";
import { useEffect, useRef, type ComponentProps, type RefObject } from "react";
import type { ListedItem, ListView, Stock } from "../../wishlists/staff-view.ts";
import { useShopTime } from "../shop-time.tsx";
import { ListPages } from "../list-pages.tsx";

/** What stands for a product without a picture. */
const NO_PICTURE = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><path fill="none" stroke="#8a8a8a" stroke-width="2" d="M10 12h20v16H10zM10 25l6-6 5 5 3-3 6 6"/></svg>')}`;

/** An item as the form names it. */
export function keyOf({ productId, variantId }: Pick<ListedItem, "productId" | "variantId">): string {
  return `${productId} ${variantId}`;
}

function nameOf({ title, productId }: ListedItem): string {
  return title ?? `Product ${productId}`;
}

function StockBadge({ stock }: { stock: Stock }) {
  switch (stock) {
    case "in":
      return <Badge tone="success">In stock</Badge>;
    case "out":
      return <Badge tone="warning">Out of stock</Badge>;
    case "gone":
      return <Badge>No longer sold</Badge>;
    case "unknown":
      return <Badge>Not in the catalog</Badge>;
  }
}

function Product({ item }: { item: ListedItem }) {
  const { variantTitle, variantId, imageUrl } = item;
  const variant = variantTitle ?? (item.stock === "unknown" ? `Variant ${variantId}` : undefined);
  return (
    <InlineStack gap="300" blockAlign="center" wrap={false}>
      <Thumbnail source={imageUrl ?? NO_PICTURE} alt="" size="small" />
      <BlockStack gap="050">
        <Text as="span" fontWeight="semibold" breakWord>
          {nameOf(item)}
        </Text>
        {variant !== undefined && (
          <Text as="span" tone="subdued" variant="bodySm" breakWord>
            {variant}
          </Text>
        )}
      </BlockStack>
    </InlineStack>
  );
}

function Cells({ item }: { item: ListedItem }) {
  const { minute } = useShopTime();
  return (
    <>
      <IndexTable.Cell>
        <div style={{ maxWidth: "26rem", whiteSpace: "normal" }}>
          <Product item={item} />
        </div>
      </IndexTable.Cell>
      <IndexTable.Cell>
        <StockBadge stock={item.stock} />
      </IndexTable.Cell>
      <IndexTable.Cell>{minute(item.addedAt)}</IndexTable.Cell>
    </>
  );
}

/** A phone's table has no boxes to tick: there each item has its own button. */
function NarrowRow({ item, onRemove }: { item: ListedItem; onRemove: () => void }) {
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
          <Button variant="plain" tone="critical" accessibilityLabel={`Remove ${nameOf(item)}`} onClick={onRemove}>
            Remove
          </Button>
        </InlineStack>
      </BlockStack>
    </Box>
  );
}

/** Polaris says of a box that stands for some of them that it is mixed, but not to the browser: then the one contradicts the other. */
function useMixedBoxes(of: RefObject<HTMLElement>): void {
  useEffect(() => {
    for (const box of of.current?.querySelectorAll<HTMLInputElement>("input[type=checkbox]") ?? []) {
      box.indeterminate = box.getAttribute("aria-checked") === "mixed";
    }
  });
}

export interface Selection {
  selected: string[];
  all: boolean;
  onChange: ComponentProps<typeof IndexTable>["onSelectionChange"];
}

/** What is saved, newest first; what is marked can be removed. */
export function ItemsCard({
  list,
  selection,
  onRemove,
}: {
  list: ListView;
  selection: Selection;
  onRemove: (keys: string[]) => void;
}) {
  const { smDown: narrow } = useBreakpoints();
  const table = useRef<HTMLDivElement>(null);
  useMixedBoxes(table);
  const { wishlistId, items, page, pages } = list;
  if (items.length === 0) {
    return (
      <Card>
        <EmptyState heading="Nothing is saved" image="">
          <p>The list is empty. What its owner saves next appears here.</p>
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card padding="0">
      <div ref={table}>
        <IndexTable
          resourceName={{ singular: "item", plural: "items" }}
          itemCount={items.length}
          selectedItemsCount={selection.all ? "All" : selection.selected.length}
          {...(selection.onChange ? { onSelectionChange: selection.onChange } : {})}
          condensed={narrow}
          selectable={!narrow}
          promotedBulkActions={[{ content: "Remove", onAction: () => onRemove(selection.selected) }]}
          headings={[{ title: "Product" }, { title: "Stock" }, { title: "Saved" }]}
        >
          {items.map((item, place) => (
            <IndexTable.Row
              id={keyOf(item)}
              key={keyOf(item)}
              position={place}
              selected={selection.selected.includes(keyOf(item))}
              accessibilityLabel={`Select ${nameOf(item)}`}
            >
              {narrow ? <NarrowRow item={item} onRemove={() => onRemove([keyOf(item)])} /> : <Cells item={item} />}
            </IndexTable.Row>
          ))}
        </IndexTable>
      </div>
      <ListPages
        of="items"
        label={`Page ${page} of ${pages}`}
        previous={page > 1 ? `/app/wishlists/${wishlistId}?page=${page - 1}` : undefined}
        next={page < pages ? `/app/wishlists/${wishlistId}?page=${page + 1}` : undefined}
      />
    </Card>
  );
}
