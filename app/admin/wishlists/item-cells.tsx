import { Badge, BlockStack, InlineStack, Text, Thumbnail } from "@shopify/polaris";
import type { ShownDetails } from "../../wishlists/items/details.ts";
import type { ListedItem, PricedItem, Stock } from "../../wishlists/staff/view.ts";
import { formatNumber, formatPrice } from "../format.ts";

/** Shown for a product without an image. */
export const PLACEHOLDER_IMAGE = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><path fill="none" stroke="#8a8a8a" stroke-width="2" d="M10 12h20v16H10zM10 25l6-6 5 5 3-3 6 6"/></svg>')}`;

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

/** Returns by how much the price has changed since the item was saved: "−20%"; undefined when it has not, or when a price is unknown. */
function priceChange({ price, savedPrice }: PricedItem): string | undefined {
  if (price === undefined || savedPrice === undefined || Number(savedPrice) === 0) return undefined;
  const difference = Number(price) - Number(savedPrice);
  if (difference === 0) return undefined;
  const percent = Math.max(1, Math.round((100 * Math.abs(difference)) / Number(savedPrice)));
  return `${difference < 0 ? "−" : "+"}${formatNumber(percent)}%`;
}

/** Shows an item's price, and the one at which it was saved where that was another. */
export function ItemPrice({ item, currency }: { item: PricedItem; currency: string | null }) {
  const { price, savedPrice } = item;
  const change = priceChange(item);
  return (
    <BlockStack gap="050">
      <Text as="span">{price === undefined ? "–" : formatPrice(price, currency)}</Text>
      {change !== undefined && (
        <Text as="span" tone={change.startsWith("−") ? "success" : "subdued"} variant="bodySm">
          {change} since saved at {formatPrice(savedPrice ?? "", currency)}
        </Text>
      )}
    </BlockStack>
  );
}

/** Returns the details of an item in words, one line each. */
export function describeDetails({ quantity, note, properties = {} }: ShownDetails): string[] {
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
