-- Stores the events of a shop to which an enabled webhook subscribes, each with a delivery for every such webhook, and makes these endpoints due. p_events
-- is an array of objects with columns of webhook_event, in the order in which the ids of the events sort; json, because it keeps the order of the fields
-- in data. An event without an id gets one. An operational event is about webhooks themselves. Returns the endpoints, or NULL.
CREATE OR REPLACE FUNCTION event_emit(p_shop_id bigint, p_events json, p_operational boolean DEFAULT false) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  -- Of an event's first delivery; see webhook_delivery.priority. An operational event has that of a redelivery, before all events that wait: staff should
  -- learn of it while the webhook can still be mended.
  first_priority CONSTANT smallint := CASE WHEN p_operational THEN 2 ELSE 3 END;
  now_at CONSTANT timestamptz := clock_timestamp();
  ids uuid[];
  endpoints text[];
BEGIN
  -- Sorted, because ids of one microsecond are in no order.
  SELECT array_agg(n.id ORDER BY n.id) INTO ids FROM (SELECT uuid_v7() AS id FROM generate_series(1, json_array_length(p_events))) AS n;
  WITH given AS MATERIALIZED (
    SELECT g.*, coalesce(g.id, ids[g.ordinal]) AS event_id
      FROM (SELECT row_number() OVER () AS ordinal, e.* FROM json_populate_recordset(NULL::webhook_event, p_events) AS e) AS g
  ), subscribed AS MATERIALIZED (
    SELECT r.id AS endpoint_id, g.event_id, g.event
      FROM given g
      JOIN webhook_endpoint r ON r.shop_id = p_shop_id AND r.disabled_at IS NULL AND g.event = ANY (r.events)
                             -- Shopify Flow takes Shopify's ids only, and Shopify knows the addresses of its own customers only. A contact is
                             -- reached by email only.
                             AND CASE WHEN g.customer_id LIKE 'contact %' THEN r.id = 'email'
                                      ELSE r.id NOT IN ('flow', 'email') OR coalesce(g.customer_id, '0') ~ '^\d{1,16}$' END
                             AND (r.id <> 'flow' OR coalesce(g.product_id, '0') ~ '^\d{1,16}$')
  ), events AS (
    INSERT INTO webhook_event (shop_id, id, event, at, customer_id, list_id, product_id, variant_id, share_link_id, item_count, data, trace)
    SELECT p_shop_id, g.event_id, g.event, g.at, g.customer_id, g.list_id, g.product_id, g.variant_id, g.share_link_id, g.item_count, g.data, g.trace
      FROM given g WHERE g.event_id IN (SELECT s.event_id FROM subscribed s)
     ORDER BY g.event_id
  ), deliveries AS (
    INSERT INTO webhook_delivery (shop_id, id, endpoint_id, event_id, event, kind, priority, status, next_attempt_at, created_at)
    SELECT p_shop_id, uuid_v7(), s.endpoint_id, s.event_id, s.event, 'event', first_priority, 'pending', now_at, now_at
      FROM (SELECT endpoint_id, event_id, event FROM subscribed ORDER BY event_id) AS s
    RETURNING endpoint_id
  )
  SELECT array_agg(DISTINCT d.endpoint_id) INTO endpoints FROM deliveries d;
  IF endpoints IS NOT NULL THEN
    PERFORM webhook_schedule(p_shop_id, endpoints, false);
  END IF;
  RETURN endpoints;
END $$;
