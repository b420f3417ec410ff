import { z } from "zod";
import type { Caller } from "../access/caller.ts";
import { hasFeature, type Plan } from "../billing/index.server.ts";
import { findForShopper } from "../catalog/index.server.ts";
import { canSendMail } from "../email/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { run, runOne, shopStatement, statement } from "../platform/database/database.server.ts";
import { Failure } from "../platform/failure.ts";
import { sendTask } from "../platform/jobs/tasks.server.ts";
import { currencyDecimals } from "../platform/text/currency.ts";
import { addItem, lookupBudgetOf, readSaved, type Owner } from "../wishlists/index.server.ts";
import { contactAddress, type ContactAddress } from "./addresses.server.ts";
import { confirmation } from "./confirmation.server.ts";
import { CONTACT_FAILURES } from "./failures.ts";
import { REQUEST_KINDS, type RequestKind, type Wanted } from "./wanted.ts";

// What somebody asks to be alerted of, once: a variant that is sold out, or a lower price of it.

/** Emails for confirmation that an address gets from a shop in a day, whoever asks for them. */
const PER_DAY = 5;
/** Open requests of an address, and of a customer. */
const OPEN = { address: 100, customer: 500 } as const;
/** Requests of a shop within an hour from shoppers without an account: each sends an email to an address that anybody can type. */
const PER_HOUR = 500;

const offerStatement = statement<{
  kinds: string[] | null;
  emailed: string[] | null;
  currency: string | null;
  price: string | null;
  found: boolean;
}>(
  "alert_request_offer",
  `SELECT (SELECT a.kinds FROM alert_settings a WHERE a.shop_id = $1) AS kinds,
          (SELECT e.events FROM webhook_endpoint e WHERE e.shop_id = $1 AND e.id = 'email' AND e.disabled_at IS NULL) AS emailed,
          s.currency, v.price::text AS price, p.product_id IS NOT NULL AS found
     FROM shop s
     LEFT JOIN variant v ON v.shop_id = $1 AND v.variant_id = $3 AND v.product_id = $2 AND v.deleted_at IS NULL
     LEFT JOIN product p ON p.shop_id = $1 AND p.product_id = v.product_id AND p.deleted_at IS NULL AND product_is_published(p.status, p.published_at, now())
    WHERE s.id = $1`,
);

function invalid(path: string, problem: string): Failure {
  return new Failure("invalid_request", `${path} ${problem}.`, { details: [{ path, problem }] });
}

function unavailable(): Failure {
  return new Failure("alerts_unavailable", CONTACT_FAILURES.alerts_unavailable.message);
}

/** Says what is wrong with a target. @param price the variant's, as far as it is known */
function targetProblem(target: string, price: string | null, currency: string | null): string | undefined {
  const decimals = currencyDecimals(currency);
  if ((target.split(".")[1]?.length ?? 0) > decimals)
    return decimals === 0 ? "must be a whole amount" : `must have at most ${decimals} decimals`;
  if (Number(target) <= 0) return "must be more than 0";
  if (price !== null && Number(target) >= Number(price)) return `must be lower than the price, ${price}`;
  return undefined;
}

/** Tells whether a shop offers a kind of alert to single shoppers. @param needsEmail whether an email is the only way to reach the shopper */
function isOffered(
  plan: Plan,
  { kinds, emailed }: { kinds: string[] | null; emailed: string[] | null },
  kind: RequestKind,
  needsEmail: boolean,
): boolean {
  const isOn = hasFeature(plan, "alerts") && kinds?.includes(kind) === true;
  return isOn && (!needsEmail || (canSendMail() && emailed?.includes(`wishlist.alert.${kind}`) === true));
}

/** Returns the kinds of alerts that can be asked for of a variant. @param needsEmail for shoppers without an account */
export async function readOffer(shopId: number, plan: Plan, needsEmail: boolean): Promise<RequestKind[]> {
  const offer = await runOne(offerStatement, [shopId, "", ""]);
  return REQUEST_KINDS.filter((kind) => isOffered(plan, offer, kind, needsEmail));
}

/** Returns why an alert can't be asked for, if so. A product that is not in the catalog cache is looked up in the store. */
async function problemOf(
  { shopId, plan }: Caller,
  owner: Owner,
  { kind, productId, variantId, targetPrice }: Wanted,
): Promise<Failure | undefined> {
  if (targetPrice !== undefined && kind !== "price_dropped")
    return invalid("body.target_price", "is for a lower price only");
  const offer = await runOne(offerStatement, [shopId, productId, variantId]);
  if (!isOffered(plan, offer, kind, owner.kind === "guest")) return unavailable();
  if (!offer.found) {
    const found = await findForShopper(shopId, { productId, variantId }, lookupBudgetOf(owner));
    if (found instanceof Failure) return found;
    if (found === "no-product") return new Failure("product_not_found", `The shop has no product ${productId}.`);
    if (found === "no-variant") return invalid("body.variant_id", `is no variant of the product ${productId}`);
  }
  const problem = targetPrice === undefined ? undefined : targetProblem(targetPrice, offer.price, offer.currency);
  return problem === undefined ? undefined : invalid("body.target_price", problem);
}

const askStatement = statement<{ request_id: string | null; refused: boolean }>(
  "contact_ask",
  `SELECT request_id, refused
     FROM contact_ask(p_shop_id => $1, p_hashes => $2, p_sealed => $3, p_kind => $4, p_product_id => $5, p_variant_id => $6, p_target_price => $7,
                      p_locale => $8, p_at => $9, p_per_day => $10, p_open => $11, p_per_hour => $12)`,
);

/**
 * Records a request by an address.
 * @returns its id; undefined when the address has had too many, about which the caller must not learn; `rate_limited` when the shop has
 */
export async function recordByAddress(
  shopId: number,
  { hashes, sealed }: ContactAddress,
  { kind, productId, variantId, targetPrice, locale }: Wanted,
): Promise<string | undefined | Failure> {
  const { request_id, refused } = await runOne(askStatement, [
    ...[shopId, hashes, sealed, kind, productId, variantId, targetPrice ?? null, locale ?? null, now()],
    ...[PER_DAY, OPEN.address, PER_HOUR],
  ]);
  if (!refused) return request_id ?? undefined;
  return new Failure("rate_limited", "This shop has had many requests for alerts. Try again in an hour.", {
    retryAfter: 3_600,
  });
}

/** Asks by an address. Its owner gets an email with a link, and nothing else is sent before it is confirmed there. */
async function askByAddress(caller: Caller, guest: Owner, email: string, wanted: Wanted): Promise<"confirm" | Failure> {
  const { shopId } = caller;
  const address = contactAddress(shopId, email);
  if (!address) return invalid("body.email", "must be an email address, such as ana@example.com");
  const problem = await problemOf(caller, guest, wanted);
  if (problem) return problem;
  const requestId = await recordByAddress(shopId, address, wanted);
  if (requestId instanceof Failure) return requestId;
  if (requestId !== undefined) await sendTask(confirmation, { shopId, requestId }, { key: requestId });
  return "confirm";
}

const ofCustomerStatement = statement<{ recorded: boolean }>(
  "alert_request_of_customer",
  `SELECT alert_request_of_customer(p_shop_id => $1, p_customer_id => $2, p_kind => $3, p_product_id => $4, p_variant_id => $5, p_target_price => $6,
                                    p_locale => $7, p_at => $8, p_open => $9) AS recorded`,
);

/** Records that a customer asks. A variant that is in no list is saved in the default list, where the customer finds the request again. */
async function askAsCustomer(caller: Caller, owner: Owner, wanted: Wanted): Promise<"active" | Failure> {
  const { kind, productId, variantId, targetPrice, locale } = wanted;
  const problem = await problemOf(caller, owner, wanted);
  if (problem) return problem;
  const { saved } = await readSaved(owner, { productIds: [productId], handles: [] });
  if (!saved.some(({ variantIds }) => variantIds.includes(variantId))) {
    const added = await addItem(owner, { productId, variantId }, caller.source);
    if (added instanceof Failure) return added;
  }
  const { recorded } = await runOne(ofCustomerStatement, [
    ...[owner.shopId, owner.id, kind, productId, variantId, targetPrice ?? null, locale ?? null, now(), OPEN.customer],
  ]);
  return recorded ? "active" : new Failure("alert_request_limit", CONTACT_FAILURES.alert_request_limit.message);
}

/**
 * Asks for an alert about a variant, in place of an earlier request for the same: a customer's is on at once, a guest names an address, whose owner
 * confirms it. The result says nothing about what is known of the address.
 * @returns `invalid_request`, `alerts_unavailable`, `alert_request_limit`, `product_not_found`, `rate_limited`, `catalog_unavailable`, `wishlist_full`
 */
export async function askForAlert(
  caller: Caller,
  owner: Owner,
  { email, ...wanted }: Wanted & { email?: string | undefined },
): Promise<"active" | "confirm" | Failure> {
  if (owner.kind === "customer") {
    if (email === undefined) return askAsCustomer(caller, owner, wanted);
    return invalid("body.email", "must be left out: the store knows the customer's address");
  }
  if (email === undefined) return invalid("body.email", "is missing: a guest has no other address");
  return askByAddress(caller, owner, email, wanted);
}

const requestRow = z.object({
  kind: z.enum(REQUEST_KINDS),
  productId: z.string(),
  variantId: z.string(),
  targetPrice: z.string().nullable(),
  requestedAt: z.date(),
});

type OpenRequest = z.output<typeof requestRow>;

const openStatement = shopStatement<Record<string, unknown>>(
  "alert_requests_open",
  `SELECT r.kind, r.product_id AS "productId", r.variant_id AS "variantId", amount_text(r.target_price, s.currency) AS "targetPrice",
          r.created_at AS "requestedAt"
     FROM alert_request r JOIN shop s ON s.id = $1
    WHERE r.shop_id = $1 AND r.customer_id = $2 AND r.confirmed_at IS NOT NULL AND r.alerted_at IS NULL
    ORDER BY r.created_at DESC, r.id DESC LIMIT ${OPEN.customer}`,
);

/** Returns what a customer has asked for and not been told yet, the newest first. */
export async function openRequests(shopId: number, customerId: string): Promise<OpenRequest[]> {
  return requestRow.array().parse(await run(openStatement, [shopId, customerId]));
}

const withdrawStatement = statement<{ withdrawn: number }>(
  "alert_request_withdraw_variant",
  `WITH gone AS (
     DELETE FROM alert_request
      WHERE shop_id = $1 AND customer_id = $2 AND product_id = $3 AND ($4::text IS NULL OR variant_id = $4) AND kind = ANY ($5::text[])
        AND alerted_at IS NULL
     RETURNING 1
   )
   SELECT count(*)::integer AS withdrawn FROM gone`,
);

/** Withdraws what a customer has asked for of a product or of one variant. @returns the number of withdrawn requests */
export async function withdrawRequests(
  shopId: number,
  customerId: string,
  {
    productId,
    variantId,
    kinds = REQUEST_KINDS,
  }: { productId: string; variantId?: string | undefined; kinds?: readonly RequestKind[] | undefined },
): Promise<number> {
  return (await runOne(withdrawStatement, [shopId, customerId, productId, variantId ?? null, kinds])).withdrawn;
}
