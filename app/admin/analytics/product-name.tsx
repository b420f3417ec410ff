import { Badge, BlockStack, Box, Link, Text, Thumbnail } from "@shopify/polaris";
import type { NamedProduct } from "../../analytics/findings.ts";
import { productPath } from "../../analytics/product-path.ts";
import { useSpanQuery } from "./analytics-link.ts";

export function productTitle({ title, productId }: Pick<NamedProduct, "title" | "productId">): string {
  return title ?? `Product ${productId}`;
}

/** Marks a product that is deleted or not in the catalog. */
function ProductState({ product: { title, deleted } }: { product: NamedProduct }) {
  if (deleted) return <Badge>Deleted</Badge>;
  return title === null ? <Badge tone="attention">Not in your catalog</Badge> : null;
}

/** Shows a product's image or an empty frame. The alternative text is empty, because the title is next to it. */
export function ProductImage({ url }: { url: string | null }) {
  if (url !== null) return <Thumbnail source={url} alt="" size="small" />;
  return (
    <Box background="bg-surface-secondary" borderColor="border-secondary" borderWidth="025" borderRadius="200">
      <div style={{ width: 38, height: 38 }} />
    </Box>
  );
}

/** Shows a product's title with a link to its page. */
export function ProductName({ product, variant }: { product: NamedProduct; variant?: string | undefined }) {
  return (
    <BlockStack gap="050" inlineAlign="start">
      <Link url={productPath(product.productId) + useSpanQuery()} dataPrimaryLink monochrome removeUnderline>
        <Text as="span" fontWeight="semibold" breakWord>
          {productTitle(product)}
        </Text>
      </Link>
      {variant !== undefined && (
        <Text as="span" tone="subdued" breakWord>
          {variant}
        </Text>
      )}
      <ProductState product={product} />
    </BlockStack>
  );
}
