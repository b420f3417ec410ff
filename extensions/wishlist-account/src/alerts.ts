import type { Input, Item, Output } from "@wishlist-headless/sdk";
import { formatMoney } from "./money.ts";
import { service } from "./service.ts";
import { t } from "./texts.ts";

export type Choices = Pick<Output<"alerts.get">, "offered" | "alerts">;

export type Requests = Pick<Output<"alerts.requests.list">, "offered" | "requests">;

type Request = Requests["requests"][number];

/** What the shop offers, and what the customer has asked for: about all items, and about single ones. */
export interface Alerts {
  choices: Choices;
  ofItems: Requests;
}

/** @throws WishlistError */
export async function readRequests(): Promise<Requests> {
  return service.alerts.requests.list();
}

/** @throws WishlistError */
export async function readAlerts(): Promise<Alerts> {
  const [choices, ofItems] = await Promise.all([service.alerts.get(), readRequests()]);
  return { choices, ofItems };
}

/** Returns the language of the texts that the customer reads. */
export function languageOfTexts(): string {
  return shopify.localization.extensionLanguage.value.isoCode;
}

/** Returns the kind of alert that makes sense for an item: nobody waits for what is in stock. */
export function kindOf({ product }: Item): Request["kind"] | undefined {
  if (!product || product.deleted) return undefined;
  return product.available ? "price_dropped" : "back_in_stock";
}

/** Returns what the customer has asked for about an item, of the kind that makes sense now. */
export function requestFor(item: Item, { requests }: Requests): Request | undefined {
  return requests.find(({ variantId, kind }) => variantId === item.variantId && kind === kindOf(item));
}

/** @throws WishlistError */
export function askForAlert(
  { productId, variantId }: Item,
  wanted: Pick<Input<"alerts.requests.create">, "kind" | "target_price">,
): Promise<unknown> {
  const locale = languageOfTexts();
  return service.alerts.requests.create({ ...wanted, product_id: productId, variant_id: variantId, locale });
}

/** @throws WishlistError */
export function withdrawRequest({ productId, variantId, kind }: Request): Promise<unknown> {
  return service.alerts.requests.remove({ productId, variant_id: variantId, kind });
}

/** Says what the customer waits for. */
export function waitsFor({ kind, targetPrice }: Request, moneyFormat: string | null): string {
  if (kind === "back_in_stock") return t("ask.waits_for_stock");
  if (targetPrice === null) return t("ask.waits_for_drop");
  return t("ask.waits_for_price", {
    price: (moneyFormat === null ? undefined : formatMoney(targetPrice, moneyFormat)) ?? targetPrice,
  });
}
