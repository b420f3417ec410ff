-- Creates the webhook events and deliveries of a batch of a shop's activity. Returns the endpoints that received deliveries. Which change makes which
-- event is the table in docs/webhooks.md. The ids of the events sort in the order of the activity.
CREATE OR REPLACE FUNCTION outbox_create_deliveries(p_shop_id bigint, p_batch activity[]) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  wanted text[];
  events json;
BEGIN
  SELECT array_agg(DISTINCT s.event) INTO wanted
    FROM webhook_endpoint e CROSS JOIN unnest(e.events) AS s (event) WHERE e.shop_id = p_shop_id AND e.disabled_at IS NULL;
  IF wanted IS NULL THEN
    RETURN NULL;
  END IF;

  SELECT json_agg(n) INTO events
    FROM (
      SELECT k.event, b.at, b.owner_id AS customer_id, b.product_id, b.variant_id, b.share_link_id, b.trace,
             CASE WHEN b.kind = 'shared' THEN b.item_count END AS item_count,
             -- A moved item is in the other list now, which its removal from the first one names.
             CASE WHEN b.source = 'move' THEN nullif(b.data ->> 'movedTo', 'default') ELSE b.list_id END AS list_id,
             CASE WHEN b.source = 'move' THEN json_build_object('previousListId', coalesce(b.list_id, 'default'))
                  WHEN b.kind = 'updated' THEN (coalesce(b.data, '{}') - 'addedAt')::json
                  WHEN b.kind = 'list_created' THEN json_build_object('name', b.data -> 'name')
                  WHEN b.kind = 'list_renamed' THEN json_build_object('name', b.data -> 'name', 'previousName', b.before -> 'name')
                  WHEN b.kind = 'list_deleted' THEN json_build_object('name', b.data -> 'name') END AS data
        FROM unnest(p_batch) AS b
       CROSS JOIN LATERAL (
         SELECT CASE WHEN b.kind = 'added' AND b.source NOT IN ('import', 'move') THEN 'wishlist.item.added'
                     WHEN b.kind = 'removed' AND b.source IN ('api', 'storefront', 'staff', 'restore') THEN 'wishlist.item.removed'
                     WHEN b.kind = 'updated' OR (b.kind = 'removed' AND b.source = 'move') THEN 'wishlist.item.updated'
                     WHEN b.kind = 'shared' THEN 'wishlist.shared'
                     WHEN b.kind = 'list_created' AND b.source <> 'import' THEN 'wishlist.list.created'
                     WHEN b.kind = 'list_renamed' THEN 'wishlist.list.renamed'
                     WHEN b.kind = 'list_deleted' AND b.source <> 'import' THEN 'wishlist.list.deleted' END AS event) AS k
       WHERE b.owner_kind = 'customer' AND k.event = ANY (wanted)
       ORDER BY b.id
    ) AS n;
  RETURN event_emit(p_shop_id, events);
END $$;
