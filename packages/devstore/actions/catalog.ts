import type { ProductEdit, ProductVariant, StoreProduct, StoreVariant, VariantEdit } from "../store/catalog.ts";
import { USUAL_QUANTITY } from "../store/inventory.ts";
import type { Store } from "../store/store.ts";
import type { StoreEvents } from "../webhooks/events.ts";

/** Sends the webhooks of a change: that of each inventory level, and those of the products, for which Shopify sends an update as well. */
function changeProducts(events: StoreEvents, products: ReadonlySet<StoreProduct>, change: () => void): void {
  const levelOf = ({ inventory }: StoreVariant) => `${inventory.tracked} ${inventory.quantity}`;
  const before = [...products].flatMap(({ variants }) =>
    variants.map((variant) => ({ variant, level: levelOf(variant) })),
  );
  change();
  for (const { variant, level } of before) if (levelOf(variant) !== level) events.inventoryChanged(variant);
  for (const product of products) events.productChanged("update", product);
}

/** @returns undefined if the store has no such product */
export function editProduct(
  store: Store,
  events: StoreEvents,
  id: string,
  edit: ProductEdit,
): StoreProduct | undefined {
  const product = store.catalog.byId(id);
  if (product !== undefined) changeProducts(events, new Set([product]), () => void store.catalog.edit(id, edit));
  return product;
}

/** @returns undefined if the store has no such variant */
export function editVariant(
  store: Store,
  events: StoreEvents,
  id: string,
  edit: VariantEdit,
): ProductVariant | undefined {
  const found = store.catalog.variant(id);
  if (found !== undefined)
    changeProducts(events, new Set([found.product]), () => void store.catalog.editVariant(id, edit));
  return found;
}

/** Lowers the price of every variant, as a merchant's sale does: the price before the first sale becomes the compare-at price. */
export function lowerPrices(store: Store, events: StoreEvents, product: StoreProduct, percent: number): void {
  changeProducts(events, new Set([product]), () => {
    for (const { id, priceCents, compareAtPriceCents } of product.variants) {
      store.catalog.editVariant(id, {
        priceCents: Math.round(priceCents * (1 - percent / 100)),
        compareAtPriceCents: compareAtPriceCents ?? priceCents,
      });
    }
  });
}

/** Ends a sale: the compare-at price becomes the price again. */
export function restorePrices(store: Store, events: StoreEvents, product: StoreProduct): void {
  changeProducts(events, new Set([product]), () => {
    for (const { id, priceCents, compareAtPriceCents } of product.variants) {
      store.catalog.editVariant(id, { priceCents: compareAtPriceCents ?? priceCents, compareAtPriceCents: null });
    }
  });
}

export function sellOut(store: Store, events: StoreEvents, id: string): StoreProduct | undefined {
  return editProduct(store, events, id, { tracked: true, quantity: 0, policy: "DENY" });
}

export function restock(
  store: Store,
  events: StoreEvents,
  id: string,
  quantity = USUAL_QUANTITY,
): StoreProduct | undefined {
  return editProduct(store, events, id, { quantity });
}

/** Changes inventory quantities by variant; a variant that the store no longer has is skipped. */
export function adjustInventory(store: Store, events: StoreEvents, changes: ReadonlyMap<string, number>): void {
  const variants = [...changes.keys()].flatMap((id) => store.catalog.variant(id) ?? []);
  changeProducts(events, new Set(variants.map(({ product }) => product)), () => {
    for (const { variant } of variants) {
      if (!variant.inventory.tracked) continue;
      const quantity = variant.inventory.quantity + (changes.get(variant.id) ?? 0);
      store.catalog.editVariant(variant.id, { quantity });
    }
  });
}

/** Changes the shop's currency; amounts of prices stay. */
export function changeCurrency(store: Store, events: StoreEvents, currency: string): void {
  store.shop.currency = currency;
  events.shopUpdated();
}
