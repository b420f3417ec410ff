import { z } from "zod";
import { formatMoney } from "../../platform/text/currency.ts";

/** Whom an alert is about, as the store knows the customer. */
export interface Recipient {
  name: string;
  email: string | null;
}

const AMOUNTS = [
  ["price", "formattedPrice"],
  ["previousPrice", "formattedPreviousPrice"],
  ["compareAtPrice", "formattedCompareAtPrice"],
] as const;

/** The language of a customer whose language is unknown. */
const DEFAULT_LOCALE = "en";

type Fields = Readonly<Record<string, unknown>>;

const itemsSchema = z.array(z.record(z.string(), z.unknown()));
const localeSchema = z.string().refine((locale) => {
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale).length > 0;
  } catch {
    return false;
  }
});
const contextSchema = z.object({
  locale: localeSchema.catch(DEFAULT_LOCALE),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .nullable()
    .catch(null),
});

/** Returns the prices of an alert or of one of its items as a shopper reads them. */
function formatted(fields: Fields, format: (amount: string) => string): Fields {
  const texts: Record<string, string | null> = {};
  for (const [name, text] of AMOUNTS) {
    const amount = fields[name];
    if (amount !== undefined) texts[text] = typeof amount === "string" ? format(amount) : null;
  }
  return { ...fields, ...texts };
}

/** Returns whether an event is an alert, whose customer a receiver may want to address. */
export function isAlert(event: string): boolean {
  return event.startsWith("wishlist.alert.");
}

/**
 * Returns the data of an alert with what is not stored with it: its prices in the customer's language, and the customer.
 * @param customer undefined where the shop has not granted access to customers, or Shopify did not respond
 */
export function alertData(data: Fields, customer: Recipient | undefined): Fields {
  const { locale, currency } = contextSchema.parse(data);
  const format = (amount: string): string =>
    currency === null ? amount : formatMoney(Number(amount), currency, locale);
  const items = itemsSchema.safeParse(data["items"]).data?.map((item) => formatted(item, format));
  return {
    ...formatted(data, format),
    ...(items && { items }),
    customer: customer ?? data["customer"] ?? null,
  };
}
