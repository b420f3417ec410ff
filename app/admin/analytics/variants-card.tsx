import { Badge, BlockStack, Text } from "@shopify/polaris";
import type { WantedVariant } from "../../analytics/findings.ts";
import { formatPrice } from "../format.ts";
import { SaveCountTable } from "./save-count-table.tsx";
import { DownloadButton } from "./download-button.tsx";
import { ListCard, NoRows } from "./list-card.tsx";
import { variantTitle } from "./variant-title.ts";

function Stock({ stock }: Pick<WantedVariant, "stock">) {
  switch (stock) {
    case "unavailable":
      return <Badge tone="warning">Out of stock</Badge>;
    case "available":
      return <Badge tone="success">In stock</Badge>;
    case "deleted":
      return <Badge>Deleted</Badge>;
    case "unknown":
      return <Badge tone="attention">Not in your catalog</Badge>;
  }
}

function VariantName({ variant: { title, variantId } }: { variant: WantedVariant }) {
  return (
    <BlockStack gap="050">
      <Text as="span" fontWeight="semibold" breakWord>
        {title === null ? `Variant ${variantId}` : (variantTitle(title) ?? "Default variant")}
      </Text>
    </BlockStack>
  );
}

function describeStock(variants: readonly WantedVariant[], more: boolean): string {
  if (variants.every(({ stock }) => stock === "unknown")) return "Stock is unknown for these variants.";
  const outOfStock = variants.filter(({ stock }) => stock === "unavailable").length;
  const summary =
    outOfStock === 0
      ? "No saved variants are out of stock."
      : outOfStock === 1
        ? "1 variant is out of stock and listed first."
        : `${outOfStock} variants are out of stock and listed first.`;
  return more ? `Showing the ${variants.length} most saved variants. ${summary}` : summary;
}

/** Lists a product's saved variants, those that are out of stock first. */
export function VariantsCard(props: {
  productId: string;
  variants: readonly WantedVariant[];
  more: boolean;
  currency: string | null;
}) {
  const { productId, variants, more, currency } = props;
  return (
    <ListCard
      title="Saved variants"
      description={variants.length === 0 ? "" : describeStock(variants, more)}
      actions={
        variants.length > 0 && (
          <DownloadButton query={{ table: "variants", product: productId }} content="saved variants" />
        )
      }
    >
      {variants.length === 0 ? (
        <NoRows>No variants of this product are in a wishlist right now.</NoRows>
      ) : (
        <SaveCountTable
          label="Saved variants"
          hasLinks={false}
          heading="Variant"
          columns={["Stock", "Price"]}
          rows={variants.map((variant) => ({
            id: variant.variantId,
            name: <VariantName variant={variant} />,
            details: [
              <Stock key="stock" stock={variant.stock} />,
              variant.price && formatPrice(variant.price, currency),
            ],
            count: variant.wishlistCount,
          }))}
        />
      )}
    </ListCard>
  );
}
