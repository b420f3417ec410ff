import { processOutbox } from "../activity/index.server.ts";
import { runOne, statement } from "../platform/database/database.server.ts";
import { isKnownToShoppersSql } from "../catalog/publication.ts";
import { DETAIL_NAMES } from "../wishlists/items/details.ts";

/** Returns all data about a customer as JSON for people to read. Share links are listed without their tokens. */
const recordStatement = statement<{ record: Record<string, unknown> }>(
  "privacy_record",
  `WITH lists AS MATERIALIZED (
     SELECT id, handle, name, created_at, updated_at, deleted_at FROM wishlist WHERE shop_id = $1 AND owner_kind = 'customer' AND owner_id = $2
   ), shoppers AS MATERIALIZED (
     SELECT id, last_active_on FROM shopper WHERE shop_id = $1 AND owner_kind = 'customer' AND owner_id = $2
   ), guests AS MATERIALIZED (
     -- Rows of merged_guest are deleted by age; aliases of shoppers stay.
     SELECT g.guest_id, f.merged_at
       FROM (SELECT guest_id FROM merged_guest WHERE shop_id = $1 AND customer_id = $2
              UNION
             SELECT a.owner_id FROM shopper a JOIN shoppers s ON s.id = a.alias_of WHERE a.shop_id = $1) AS g
       LEFT JOIN merged_guest f ON f.shop_id = $1 AND f.guest_id = g.guest_id
   ), deliveries AS MATERIALIZED (
     SELECT d.event_id, json_agg(json_build_object('to', n.url, 'status', d.status, 'attempts', t.attempts) ORDER BY d.id) AS all
       FROM webhook_event e
       JOIN webhook_delivery d ON d.shop_id = e.shop_id AND d.event_id = e.id
       LEFT JOIN webhook_endpoint n ON n.shop_id = d.shop_id AND n.id = d.endpoint_id
      CROSS JOIN LATERAL (SELECT coalesce(json_agg(json_build_object('at', a.at, 'status', a.status, 'error', a.error,
                                                   'response', a.response) ORDER BY a.number), '[]') AS attempts
                            FROM webhook_attempt a WHERE a.shop_id = $1 AND a.delivery_id = d.id) AS t
      WHERE e.shop_id = $1 AND e.customer_id = $2
      GROUP BY d.event_id
   )
   SELECT json_build_object(
     'customerId', $2::text,
     'wishlists', (SELECT coalesce(json_agg(json_build_object('id', l.handle, 'name', l.name, 'createdAt', l.created_at,
         'updatedAt', l.updated_at, 'deletedAt', l.deleted_at, 'items',
         (SELECT coalesce(json_agg(json_build_object(
                   'productId', i.product_id, 'variantId', i.variant_id, 'product', nullif(p.title, ''), 'variant', v.title,
                   'addedAt', i.added_at, 'putIntoCartAt', i.carted_at,
                   ${DETAIL_NAMES.map((name) => `'${name}', i.${name}`).join(", ")}, 'priceWhenSaved', i.saved_price) ORDER BY i.added_at, i.seq), '[]')
            FROM wishlist_item i
            LEFT JOIN product p ON p.shop_id = i.shop_id AND p.product_id = i.product_id AND ${isKnownToShoppersSql("p")}
            LEFT JOIN variant v ON v.shop_id = i.shop_id AND v.variant_id = i.variant_id AND v.product_id = p.product_id
           WHERE i.shop_id = $1 AND i.wishlist_id = l.id)) ORDER BY l.created_at), '[]') FROM lists l),
     'shareLinks', (SELECT coalesce(json_agg(json_build_object('createdAt', s.created_at, 'expiresAt', s.expires_at,
                             'revokedAt', s.revoked_at, 'views', s.views, 'sharedBy', s.shared_by) ORDER BY s.created_at), '[]')
                      FROM share_link s JOIN lists l ON l.id = s.wishlist_id WHERE s.shop_id = $1),
     'activity', (SELECT coalesce(json_agg(json_build_object('what', a.kind, 'through', a.source, 'productId', a.product_id,
                           'variantId', a.variant_id, 'listId', coalesce(a.list_id, 'default'), 'at', a.at, 'now', a.data,
                           'before', a.before - ARRAY['seq', 'savedOn', 'cut']) ORDER BY a.id), '[]')
                    FROM activity a
                   WHERE a.shop_id = $1 AND ((a.owner_kind = 'customer' AND a.owner_id = $2)
                      OR (a.owner_kind = 'guest' AND a.owner_id IN (SELECT guest_id FROM guests)))),
     'cartEvents', (SELECT coalesce(json_agg(json_build_object('eventId', c.event_id, 'productId', c.product_id,
                             'variantId', c.variant_id, 'at', c.at) ORDER BY c.at), '[]')
                      FROM cart_event c JOIN lists l ON l.id = c.wishlist_id WHERE c.shop_id = $1),
     'alertConsents', (SELECT coalesce(json_agg(json_build_object('kind', c.kind, 'given', c.given, 'at', c.at, 'through', c.source,
                                'wording', c.wording, 'language', c.locale) ORDER BY c.id), '[]')
                         FROM alert_consent c WHERE c.shop_id = $1 AND c.customer_id = $2),
     'alerts', (SELECT coalesce(json_agg(json_build_object('kind', a.kind, 'productId', a.product_id, 'variantId', a.variant_id,
                         'listId', CASE WHEN a.request_id IS NULL THEN coalesce(a.list_id, 'default') END, 'price', a.price, 'priceBefore', a.reference_price, 'askedForAt', a.consent_at,
                         'status', a.status, 'reason', a.reason, 'createdAt', a.created_at, 'sentAt', a.sent_at, 'openedAt', a.opened_at,
                         'returnedAt', a.returned_at, 'putIntoCartAt', a.carted_at, 'boughtAt', a.bought_at) ORDER BY a.id), '[]')
                  FROM alert a WHERE a.shop_id = $1 AND a.customer_id = $2),
     'alertRequests', (SELECT coalesce(json_agg(json_build_object('kind', r.kind, 'productId', r.product_id, 'variantId', r.variant_id,
                                'priceThen', r.reference_price, 'targetPrice', r.target_price, 'language', r.locale, 'askedAt', r.created_at,
                                'confirmedAt', r.confirmed_at, 'alertedAt', r.alerted_at) ORDER BY r.id), '[]')
                         FROM alert_request r WHERE r.shop_id = $1 AND r.customer_id = $2),
     'emails', (SELECT coalesce(json_agg(json_build_object('at', m.alerted_at) ORDER BY m.alerted_at), '[]')
                  FROM email_message m WHERE m.shop_id = $1 AND m.customer_id = $2),
     'tagsToAdd', (SELECT coalesce(json_agg(t.tag ORDER BY t.id), '[]')
                     FROM customer_tagging t WHERE t.shop_id = $1 AND $2 = ANY (t.customer_ids)),
     'refusedEmailAddress', (SELECT json_build_object('since', u.at, 'response', u.error)
                               FROM email_suppression u WHERE u.shop_id = $1 AND u.customer_id = $2),
     'orders', (SELECT coalesce(json_agg(json_build_object('orderId', o.order_id, 'orderedAt', o.ordered_at, 'items',
                         (SELECT coalesce(json_agg(json_build_object('productId', l.product_id, 'variantId', l.variant_id,
                                   'listId', CASE WHEN NOT l.requested THEN coalesce(l.list_id, 'default') END, 'savedAt', l.saved_at, 'units', l.units, 'paid', l.revenue) ORDER BY l.line_id), '[]')
                            FROM order_line l WHERE l.shop_id = $1 AND l.order_id = o.order_id)) ORDER BY o.ordered_at), '[]')
                  FROM store_order o WHERE o.shop_id = $1 AND o.customer_id = $2),
     'changedByStaff', (SELECT coalesce(json_agg(json_build_object('what', c.action, 'details', c.details, 'at', c.at) ORDER BY c.id), '[]')
                          FROM audit c WHERE c.shop_id = $1 AND c.customer_id = $2),
     'activeDays', (SELECT coalesce(json_agg(d.day ORDER BY d.day), '[]')
                      FROM shopper_day d JOIN shoppers s ON s.id = d.shopper_id WHERE d.shop_id = $1),
     'lastActiveOn', (SELECT max(last_active_on) FROM shoppers),
     'webhookEvents', (SELECT coalesce(json_agg(json_build_object('event', e.event, 'productId', e.product_id,
                                'variantId', e.variant_id, 'listId', e.list_id, 'data', e.data, 'at', e.at, 'deliveries', coalesce(d.all, '[]')) ORDER BY e.at, e.id), '[]')
                         FROM webhook_event e LEFT JOIN deliveries d ON d.event_id = e.id WHERE e.shop_id = $1 AND e.customer_id = $2),
     'beforeLogin', (SELECT coalesce(json_agg(json_build_object('guest', g.guest_id, 'until', g.merged_at) ORDER BY g.merged_at), '[]')
                       FROM guests g)) AS record`,
);

/** Gathers all data about a customer. */
export async function gatherCustomerRecord(shopId: number, customerId: string): Promise<Record<string, unknown>> {
  // Pending activity has not created its webhook events and active days yet.
  await processOutbox(shopId);
  return (await runOne(recordStatement, [shopId, customerId])).record;
}
