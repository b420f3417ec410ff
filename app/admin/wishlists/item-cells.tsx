import { Badge, BlockStack, InlineStack, Text, Thumbnail } from "@shopify/polaris";
import type { ListedDetails, ListedItem, Stock } from "../../wishlists/staff/view.ts";

/** Shown for a product without an image. */
const PLACEHOLDER_IMAGE = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><path fill="none" stroke="#8a8a8a" stroke-width="2" d="M10 12h20v16H10zM10 25l6-6 5 5 3-3 6 6"/></svg>')}`;

/** Returns an item's value in the removal form. */
export function itemKey({ productId, variantId }: Pick<ListedItem, "productId" | "variantId">): string {
  return `${productId} ${variantId}`;
}

export function itemTitle({ title, productId }: ListedItem): string {
  return title ?? `Product ${productId}`;
}

export function StockBadge({ stock }: { stock: Stock }) {
  switch (stock) {
    case "in":
      return <Badge tone="success">In stock</Badge>;
    case "out":
      return <Badge tone="warning">Out of stock</Badge>;
    case "gone":
      return <Badge>Deleted</Badge>;
    case "unknown":
      return <Badge>Not in your catalog</Badge>;
  }
}

/** Returns the details of an item in words, one line each. */
export function describeDetails({ quantity, note, properties = {} }: ListedDetails): string[] {
  return [
    ...(quantity === undefined ? [] : [`Quantity ${quantity}`]),
    ...Object.entries(properties).map(([name, value]) => `${name}: ${value}`),
    ...(note === undefined ? [] : [`“${note}”`]),
  ];
}

/** Shows an item's image, title, variant, and its details or other lines. */
export function ProductSummary({
  item,
  lines = describeDetails(item.details),
}: {
  item: ListedItem;
  lines?: string[];
}) {
  const { variantTitle, variantId, imageUrl } = item;
  const variant = variantTitle ?? (item.stock === "unknown" ? `Variant ${variantId}` : undefined);
  return (
    <InlineStack gap="300" blockAlign={lines.length === 0 ? "center" : "start"} wrap={false}>
      <div style={{ flex: "none" }}>
        <Thumbnail source={imageUrl ?? PLACEHOLDER_IMAGE} alt="" size="small" />
      </div>
      <BlockStack gap="050">
        <Text as="span" fontWeight="semibold" breakWord>
          {itemTitle(item)}
        </Text>
        {variant !== undefined && (
          <Text as="span" tone="subdued" variant="bodySm" breakWord>
            {variant}
          </Text>
        )}
        {lines.length > 0 && (
          <div style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
            <Text as="span" variant="bodySm">
              {lines.join("\n")}
            </Text>
          </div>
        )}
      </BlockStack>
    </InlineStack>
  );
}
