import { z } from "zod";
import type { AlertKind } from "../alerts/kinds.ts";

/** The kinds that can be asked for of one variant. */
export const REQUEST_KINDS = ["back_in_stock", "price_dropped"] as const satisfies readonly AlertKind[];

export const requestKindSchema = z.enum(REQUEST_KINDS);

export type RequestKind = z.infer<typeof requestKindSchema>;

/** What is asked for. */
export interface Wanted {
  kind: RequestKind;
  productId: string;
  variantId: string;
  /** the price at which to tell, in the shop's currency; undefined for any drop that counts as one */
  targetPrice?: string | undefined;
  /** the language of what is sent, such as `de` */
  locale?: string | undefined;
}

/** An amount in the shop's currency. */
export const targetPriceSchema = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,3})?$/, "must be an amount such as 80.00")
  .meta({ example: "80.00" });

/** An address as it is typed: whether it is one is checked later, so that there is one message for it. */
export const emailSchema = z.string().max(320, "must be an email address").meta({ example: "ana@example.com" });

export const localeSchema = z
  .string()
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z]{2,4})?$/, "must be a language such as de or pt-BR")
  .meta({ example: "de" });
