import type { Prisma } from "@prisma/client";
import { ALERT_KINDS, alertKindSchema } from "../alerts/index.server.ts";
import { prisma, run, statement } from "../platform/database/database.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { Failure } from "../platform/failure.ts";
import { isStopping } from "../platform/process/lifecycle.server.ts";
import { includesScope, OPTIONAL_SCOPES, readScopes } from "../shopify-sessions/index.server.ts";
import { EMAIL, readChannelEvents, subscribeChannel } from "../webhooks/index.server.ts";
import { canSendMail } from "./transport.server.ts";
import { textsSchema, type EmailSettings } from "./settings.ts";

/** Returns a shop's choices; undefined for a shop that has made none. */
export async function readEmailSettings(shopId: number): Promise<EmailSettings | undefined> {
  const row = await prisma().emailSettings.findUnique({ where: { shopId } });
  if (!row) return undefined;
  const { shopId: _, kinds, texts, ...settings } = row;
  return { ...settings, kinds: alertKindSchema.array().parse(kinds), texts: textsSchema.parse(texts) };
}

/**
 * Subscribes the channel to the kinds that a shop emails, or to none while nothing can be sent: the app may not read customers, or the operator has set
 * no mail server. Alerts then say that nobody received them.
 */
async function subscribe(
  tx: Prisma.TransactionClient,
  shopId: number,
  { kinds }: Pick<EmailSettings, "kinds">,
  isPermitted: boolean,
  options?: { keepsPause: boolean },
): Promise<void> {
  const events =
    isPermitted && canSendMail()
      ? ALERT_KINDS.filter((kind) => kinds.includes(kind)).map((kind) => `wishlist.alert.${kind}` as const)
      : [];
  const subscribed = await readChannelEvents(tx, shopId, EMAIL);
  // An unchanged subscription leaves a channel that was turned off as it is.
  if (subscribed?.join() !== events.join()) await subscribeChannel(tx, shopId, EMAIL, events, options);
}

/**
 * Saves the choices of a form, unless they were saved by another request after the form was loaded.
 * @param isPermitted whether the shop lets the app read customers: otherwise nothing can be sent
 * @returns the saved choices, or `invalid_request` when the version is outdated
 */
export async function saveEmailSettings(
  tx: Prisma.TransactionClient,
  shopId: number,
  { version, ...change }: EmailSettings,
  isPermitted: boolean,
): Promise<EmailSettings | Failure> {
  const saved = { ...change, version: version + 1 };
  const data = { ...saved, shopId };
  const { count } =
    version === 0
      ? await tx.emailSettings.createMany({ data, skipDuplicates: true })
      : await tx.emailSettings.updateMany({ where: { shopId, version }, data: saved });
  if (count === 0) {
    return new Failure(
      "invalid_request",
      "The settings were changed elsewhere after you opened this page, so nothing was saved. Load the current settings, then make your change again.",
    );
  }
  await subscribe(tx, shopId, change, isPermitted);
  return saved;
}

/** Sends what the shop emails from now on, or nothing, as the scopes that the shop grants now demand. */
export async function followEmailScopes(shopId: number, scopes: readonly string[]): Promise<void> {
  const settings = await readEmailSettings(shopId);
  if (!settings) return;
  const isPermitted = includesScope(scopes, OPTIONAL_SCOPES.customers);
  await transaction(shopId, (tx) => subscribe(tx, shopId, settings, isPermitted, { keepsPause: true }));
}

/** Shops per statement. */
const BATCH = 100;

/**
 * Unscoped: the installed shops whose emails do not follow the mail server: they are sent without one, or not sent with one. The latter can have other
 * reasons.
 */
const behindStatement = statement<{ shop_id: number; domain: string }>(
  "email_shops_behind",
  `SELECT c.shop_id, s.domain
     FROM email_settings c
     JOIN webhook_endpoint e ON e.shop_id = c.shop_id AND e.id = 'email'
     JOIN shop s ON s.id = c.shop_id AND s.uninstalled_at IS NULL
    WHERE c.shop_id > $1 AND cardinality(c.kinds) > 0 AND (cardinality(e.events) > 0) <> $2
    ORDER BY c.shop_id LIMIT ${BATCH}`,
);

/** Sends what the shops email from now on, or nothing, as the mail server demands that the operator has set before the start of this process. */
export async function followMailServer(): Promise<void> {
  let after = 0;
  for (;;) {
    const shops = await run(behindStatement, [after, canSendMail()]);
    for (const { shop_id: shopId, domain } of shops) {
      if (isStopping()) return;
      await followEmailScopes(shopId, (await readScopes(prisma(), domain)) ?? []);
      after = shopId;
    }
    if (shops.length < BATCH) return;
  }
}
