import { processAlerts } from "../../../app/alerts/pipeline.server.ts";
import { saveAlertSettings } from "../../../app/alerts/settings.server.ts";
import { DEFAULT_ALERT_SETTINGS, type AlertSettingsChange } from "../../../app/alerts/settings-form.ts";
import type { AlertKind } from "../../../app/alerts/kinds.ts";
import { storeProducts } from "../../../app/catalog/cache.server.ts";
import { Failure } from "../../../app/platform/failure.ts";
import { transaction } from "../../../app/platform/database/transaction.server.ts";

/** A product of the store with one variant, as the product sync reads it. */
export interface StoreVariant {
  productId?: string;
  variantId?: string;
  /** of the variant */
  title?: string;
  price?: string;
  compareAtPrice?: string | null;
  available?: boolean;
  /** null where the store does not count it */
  inventory?: number | null;
  updatedAt?: Date;
  status?: string;
}

/** Stores a product in the catalog cache. @param queriedAt time of the query to the store */
export async function storeVariant(shopId: number, variant: StoreVariant = {}, queriedAt = new Date()): Promise<void> {
  await storeVariants(shopId, [variant], queriedAt);
}

/** Stores a product with several variants. @param variants the first has the product's fields */
export async function storeVariants(
  shopId: number,
  variants: readonly StoreVariant[],
  queriedAt = new Date(),
): Promise<void> {
  const [{ productId = "1", updatedAt = new Date(), status = "ACTIVE" } = {}] = variants;
  const product = {
    id: productId,
    handle: `product-${productId}`,
    title: `Product ${productId}`,
    featuredMedia: null,
    updatedAt: updatedAt.toISOString(),
    status,
    publishedAt: "2026-01-01T00:00:00Z",
    variants: {
      nodes: variants.map(
        (
          {
            variantId = `${productId}1`,
            price = "100.00",
            compareAtPrice = null,
            available = true,
            inventory = null,
            title,
          },
          place,
        ) => ({
          id: variantId,
          title: title ?? "Default Title",
          price,
          compareAtPrice,
          availableForSale: available,
          inventoryQuantity: inventory,
          inventoryItem: { id: `9${variantId}`, tracked: inventory !== null },
          position: place + 1,
        }),
      ),
      pageInfo: { hasNextPage: false, endCursor: null },
    },
  };
  await storeProducts(shopId, [product], queriedAt);
}

/** Turns kinds of alerts on. */
export async function turnOn(
  shopId: number,
  kinds: AlertKind[],
  change: Partial<AlertSettingsChange> & { version?: number } = {},
): Promise<void> {
  const { version, ...settings } = { ...DEFAULT_ALERT_SETTINGS, ...change, kinds };
  const saved = await transaction(shopId, (tx) => saveAlertSettings(tx, shopId, settings, version));
  if (saved instanceof Failure) throw new Error(saved.message);
}

/** Processes a shop's alerts until there is nothing to do. */
export async function processAll(shopId: number): Promise<void> {
  while ((await processAlerts(shopId)) !== "idle");
}
