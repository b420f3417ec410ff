-- Creates the webhook events and deliveries of a batch of a shop's activity. Returns the endpoints that received deliveries. Which change makes which
-- event is the table in docs/webhooks.md. The ids of the events sort in the order of the activity, also those of one microsecond.
CREATE OR REPLACE FUNCTION outbox_create_deliveries(p_shop_id bigint, p_batch activity[]) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  -- Of an event's first delivery; see webhook_delivery.priority.
  event_priority CONSTANT smallint := 3;
  endpoints text[];
BEGIN
  PERFORM 1 FROM webhook_endpoint WHERE shop_id = p_shop_id AND disabled_at IS NULL LIMIT 1;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;

  WITH named AS MATERIALIZED (
    SELECT row_number() OVER (ORDER BY b.id) AS place, k.event,
           -- A moved item is in the other list now, which its removal from the first one names.
           CASE WHEN b.source = 'move' THEN nullif(b.data ->> 'movedTo', 'default') ELSE b.list_id END AS list,
           CASE WHEN b.source = 'move' THEN json_build_object('previousListId', coalesce(b.list_id, 'default'))
                WHEN b.kind = 'updated' THEN (coalesce(b.data, '{}') - 'addedAt')::json
                WHEN b.kind = 'list_created' THEN json_build_object('name', b.data -> 'name')
                WHEN b.kind = 'list_renamed' THEN json_build_object('name', b.data -> 'name', 'previousName', b.before -> 'name')
                WHEN b.kind = 'list_deleted' THEN json_build_object('name', b.data -> 'name') END AS more, b.*
      FROM unnest(p_batch) AS b
     CROSS JOIN LATERAL (
       SELECT CASE WHEN b.kind = 'added' AND b.source NOT IN ('import', 'move') THEN 'wishlist.item.added'
                   WHEN b.kind = 'removed' AND b.source IN ('api', 'storefront', 'staff', 'restore') THEN 'wishlist.item.removed'
                   WHEN b.kind = 'updated' OR (b.kind = 'removed' AND b.source = 'move') THEN 'wishlist.item.updated'
                   WHEN b.kind = 'shared' THEN 'wishlist.shared'
                   WHEN b.kind = 'list_created' AND b.source <> 'import' THEN 'wishlist.list.created'
                   WHEN b.kind = 'list_renamed' THEN 'wishlist.list.renamed'
                   WHEN b.kind = 'list_deleted' AND b.source <> 'import' THEN 'wishlist.list.deleted' END AS event) AS k
     WHERE b.owner_kind = 'customer' AND k.event IS NOT NULL
  ), ids AS (
    SELECT g.event_id, row_number() OVER (ORDER BY g.event_id) AS place FROM (SELECT uuid_v7() AS event_id FROM named) AS g
  ), receivers AS MATERIALIZED (
    SELECT e.id, e.events FROM webhook_endpoint e WHERE e.shop_id = p_shop_id AND e.disabled_at IS NULL
  ), subscribed AS MATERIALIZED (
    SELECT r.id AS endpoint_id, i.event_id, n.event, n.place
      FROM named n JOIN ids i USING (place) JOIN receivers r ON n.event = ANY (r.events)
                                          -- Shopify Flow takes Shopify's ids only.
                                          AND (r.id <> 'flow' OR n.owner_id ~ '^\d{1,16}$' AND coalesce(n.product_id, '0') ~ '^\d{1,16}$')
  ), events AS (
    INSERT INTO webhook_event (shop_id, id, event, at, customer_id, list_id, product_id, variant_id, share_link_id, item_count, data, trace)
    SELECT p_shop_id, i.event_id, n.event, n.at, n.owner_id, n.list, n.product_id, n.variant_id, n.share_link_id,
           CASE WHEN n.kind = 'shared' THEN n.item_count END, n.more, n.trace
      FROM named n JOIN ids i USING (place)
     WHERE n.place IN (SELECT s.place FROM subscribed s)
     ORDER BY i.event_id
  ), deliveries AS (
    INSERT INTO webhook_delivery (shop_id, id, endpoint_id, event_id, event, kind, priority, status, next_attempt_at, created_at)
    SELECT p_shop_id, uuid_v7(), s.endpoint_id, s.event_id, s.event, 'event', event_priority, 'pending', clock_timestamp(), clock_timestamp()
      FROM (SELECT endpoint_id, event_id, event FROM subscribed ORDER BY event_id) AS s
    RETURNING endpoint_id
  )
  SELECT array_agg(DISTINCT endpoint_id) INTO endpoints FROM deliveries;
  PERFORM webhook_schedule(p_shop_id, endpoints, false);
  RETURN endpoints;
END $$;
