import { z } from "zod";
import { sendConfirmation } from "../email/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { run, shopStatement, statement } from "../platform/database/database.server.ts";
import { task } from "../platform/jobs/tasks.server.ts";
import { openAddress } from "./addresses.server.ts";
import type { RequestKind } from "./wanted.ts";

/** Days within which a request can be confirmed. Then it is deleted. */
export const CONFIRMATION_DAYS = 7;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

const requestRow = z.object({
  address_sealed: z.string(),
  kind: z.enum(["back_in_stock", "price_dropped"]),
  target_price: z.string().nullable(),
  currency: z.string().nullable(),
  locale: z.string().nullable(),
  title: z.string(),
  variant_title: z.string().nullable(),
  image_url: z.string().nullable(),
  list_url: z.string(),
});

const readStatement = shopStatement<Record<string, unknown>>(
  "alert_request_to_confirm",
  `SELECT c.address_sealed, r.kind, amount_text(r.target_price, s.currency) AS target_price, s.currency, r.locale, p.title,
          nullif(v.title, 'Default Title') AS variant_title, p.image_url, 'https://' || s.domain || s.store_path AS list_url
     FROM alert_request r
     JOIN shop s ON s.id = $1 AND s.uninstalled_at IS NULL
     JOIN contact c ON c.shop_id = $1 AND c.id = r.customer_id
     JOIN product p ON p.shop_id = $1 AND p.product_id = r.product_id
     LEFT JOIN variant v ON v.shop_id = $1 AND v.variant_id = r.variant_id AND v.product_id = r.product_id
    WHERE r.shop_id = $1 AND r.id = $2 AND r.confirmed_at IS NULL AND r.created_at > $3
      AND NOT EXISTS (SELECT 1 FROM email_suppression u WHERE u.shop_id = $1 AND u.customer_id = c.id)`,
);

/** @throws when the mail server does not take the email now; the task is retried */
async function confirm({ shopId, requestId }: { shopId: number; requestId: string }): Promise<void> {
  const since = new Date(now().getTime() - CONFIRMATION_DAYS * 86_400_000);
  const [row] = await run(readStatement, [shopId, requestId, since]);
  if (!row) return;
  const request = requestRow.parse(row);
  await sendConfirmation(shopId, openAddress(request.address_sealed), {
    requestId,
    kind: request.kind,
    targetPrice: request.target_price,
    currency: request.currency,
    locale: request.locale,
    productTitle: request.title,
    variantTitle: request.variant_title,
    imageUrl: request.image_url,
    url: `${request.list_url}/requests/${requestId}`,
  });
}

const workSchema = z.object({ shopId: z.int(), requestId: z.string() });

/** Emails the link with which the owner of an address confirms a request. */
export const confirmation = task("alert-confirmation", workSchema, confirm, { exclusive: true, concurrency: 2 });

const confirmStatement = statement<{
  state: "confirmed" | "confirmed_before" | null;
  is_current: boolean;
  product_id: string | null;
  variant_id: string | null;
}>(
  "alert_request_confirm",
  `SELECT state, is_current, product_id, variant_id
     FROM alert_request_confirm(p_shop_id => $1, p_id => $2, p_at => $3, p_days => ${CONFIRMATION_DAYS})`,
);

/** What has become of a request by its link. */
export interface ConfirmedRequest {
  /** whether what it waits for is so already: nothing more is sent */
  isCurrent: boolean;
  productId: string;
  variantId: string;
}

/** Confirms a request by the link that was emailed; a second time changes nothing. @returns undefined for an unknown one, such as one that was withdrawn */
export async function confirmRequest(shopId: number, requestId: string): Promise<ConfirmedRequest | undefined> {
  if (!UUID.test(requestId)) return undefined;
  const [row] = await run(confirmStatement, [shopId, requestId, now()]);
  if (!row || row.state === null || row.product_id === null || row.variant_id === null) return undefined;
  return { isCurrent: row.is_current, productId: row.product_id, variantId: row.variant_id };
}

const linkedStatement = statement<LinkedRequest>(
  "alert_request_of_link",
  `SELECT r.kind, r.product_id AS "productId", r.variant_id AS "variantId", amount_text(r.target_price, s.currency) AS "targetPrice"
     FROM alert_request r JOIN shop s ON s.id = $1
    WHERE r.shop_id = $1 AND r.id = $2 AND r.customer_id LIKE 'contact %' AND (r.confirmed_at IS NOT NULL OR r.created_at > $3)`,
);

/** What an emailed link confirms. */
export interface LinkedRequest {
  kind: RequestKind;
  productId: string;
  variantId: string;
  /** in the store's currency, such as "80.00" */
  targetPrice: string | null;
}

/** Returns a request by the link that was emailed; undefined for an unknown one. */
export async function readLinkedRequest(shopId: number, requestId: string): Promise<LinkedRequest | undefined> {
  if (!UUID.test(requestId)) return undefined;
  const since = new Date(now().getTime() - CONFIRMATION_DAYS * 86_400_000);
  const [row] = await run(linkedStatement, [shopId, requestId, since]);
  return row;
}
