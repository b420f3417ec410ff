import { LRUCache } from "lru-cache";
import { z } from "zod";
import { AdminApiError, queryAdminApi } from "../admin-api/index.server.ts";
import type { AlertKind } from "../alerts/index.server.ts";
import { Failure } from "../platform/failure.ts";
import { randomBase62 } from "../platform/ids.server.ts";
import { log } from "../platform/log/log.server.ts";
import { readStoreMoney } from "../shops/index.server.ts";
import { exampleBody } from "../webhooks/index.server.ts";
import { readBrand } from "./brand.server.ts";
import { mailAddress } from "./address.ts";
import { FilledText } from "./filled-text.server.ts";
import { EXAMPLE_VALUES } from "./liquid.server.ts";
import { renderMessage, toEmailAlert, type RenderedMessage } from "./render.server.ts";
import type { EmailLanguage, EmailSettings } from "./settings.ts";
import { sendMail } from "./transport.server.ts";

/** Milliseconds that the page waits for what Shopify knows about the shop. */
const TIMEOUT = 1_500;

const SHOP = `#graphql
  query ShopIdentity { shop { name contactEmail billingAddress { formatted } } }`;

const shopSchema = z.object({
  shop: z.object({
    name: z.string(),
    contactEmail: z.string(),
    billingAddress: z.object({ formatted: z.array(z.string()) }),
  }),
});

/** Why Shopify may not respond with what it knows: nothing that the service could do better. */
const EXPECTED: ReadonlySet<AdminApiError["reason"]> = new Set(["unreachable", "unauthorized", "throttled"]);

/** Returns settings to begin with: who the shop is and its brand, as Shopify knows them. */
export async function proposeEmailSettings(shop: string): Promise<EmailSettings> {
  const [found, brand] = await Promise.all([
    queryAdminApi(shop, SHOP, { variables: {}, schema: shopSchema, within: TIMEOUT }).catch((error: unknown) => {
      if (!(error instanceof AdminApiError && EXPECTED.has(error.reason)))
        log.error({ shop, err: error }, "could not propose settings for emails");
      return undefined;
    }),
    readBrand(shop, TIMEOUT),
  ]);
  const own = { subject: "", introduction: "" };
  const rest = {
    kinds: [],
    accent: brand.accent ?? "#1a1a1a",
    logoUrl: brand.logoUrl ?? null,
    weeklyLimit: 3,
    texts: { price_dropped: own, back_in_stock: own, low_stock: own, reminder_due: own },
    version: 0,
  };
  if (!found) return { ...rest, senderName: "", replyTo: "", postalAddress: "" };
  const { name, contactEmail, billingAddress } = found.data.shop;
  return {
    ...rest,
    senderName: name,
    replyTo: contactEmail,
    postalAddress: [name, ...billingAddress.formatted].join("\n"),
  };
}

/** Renders a message about an example, with a shop's settings. @param moneyFormat the store's, if it is known */
export function exampleMessage(
  settings: EmailSettings,
  kind: AlertKind,
  language: EmailLanguage,
  moneyFormat: string | null,
): RenderedMessage {
  const alert = toEmailAlert(JSON.stringify(exampleBody(`wishlist.alert.${kind}`)));
  const items = alert.items.map((item) => ({ ...item, kinds: [kind], inventory: 3 }));
  // The example's picture does not exist.
  const shown = { ...alert, items, locale: language, imageUrl: null };
  const money = { moneyFormat, currency: alert.currency };
  return renderMessage([shown], EXAMPLE_VALUES.customer, { ...settings, money });
}

/** Tests that a shop may send in an hour. */
const TESTS_PER_HOUR = 20;
const tests = new LRUCache<number, number>({ max: 10_000, ttl: 3_600_000, noUpdateTTL: true });

/**
 * Sends the example to an address of staff.
 * @returns what went wrong, in words for staff
 */
export async function sendTest(
  shopId: number,
  settings: EmailSettings,
  { to, kind, language }: { to: string; kind: AlertKind; language: EmailLanguage },
): Promise<{ to: string } | Failure> {
  const address = mailAddress(to);
  if (address === undefined) return new Failure("invalid_request", "Enter an email address.");
  const sent = (tests.get(shopId) ?? 0) + 1;
  if (sent > TESTS_PER_HOUR)
    return new Failure("rate_limited", `You have sent ${TESTS_PER_HOUR} tests within an hour. Send more later.`);
  tests.set(shopId, sent);
  const { moneyFormat } = await readStoreMoney(shopId);
  const { subject, html, text } = exampleMessage(settings, kind, language, moneyFormat);
  const { error } = await sendMail({
    ...{ subject, html: FilledText.of(html), text: FilledText.of(text) },
    sender: { name: settings.senderName, replyTo: settings.replyTo },
    recipient: { name: "", address },
    messageId: randomBase62(22),
  });
  return error === null ? { to: address } : new Failure("service_unavailable", `The test was not sent: ${error}.`);
}
