-- Erases a customer, or a contact: every row that names the customer or a guest who was merged into the customer. Sums per day name no one and stay; only the
-- number of items saved now falls, and the outbox is processed first so that rollups and events are complete. Returns the shop's last change number, or
-- NULL when no change was processed.
CREATE OR REPLACE FUNCTION customer_erase(p_shop_id bigint, p_customer_id text, p_at timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  lists bigint[];
  list record;
  guests text[];
  shoppers bigint[];
  events uuid[];
  deliveries uuid[];
  processed_count integer;
  batch_number bigint;
  last_number bigint;
BEGIN
  -- No other transaction may process the outbox while the customer's rows go.
  PERFORM pg_advisory_xact_lock(advisory_lock_key('outbox', p_shop_id::text));
  -- Nor may a fan-out that has read the customer's items write alerts of them later.
  PERFORM pg_advisory_xact_lock(advisory_lock_key('alerts', p_shop_id::text));
  -- The default list first: whoever has its lock creates named lists, so that the next statement sees all of them.
  PERFORM 1 FROM wishlist
    WHERE shop_id = p_shop_id AND owner_kind = 'customer' AND owner_id = p_customer_id AND handle = 'default' FOR UPDATE;
  -- One statement collects and locks, so that both are the same lists. A default list created while this waits is left alone: it is new.
  SELECT array_agg(w.id) INTO lists
    FROM (SELECT id FROM wishlist
           WHERE shop_id = p_shop_id AND owner_kind = 'customer' AND owner_id = p_customer_id ORDER BY id FOR UPDATE) AS w;

  FOR list IN
    SELECT wishlist_id, array_agg(ROW('removed', product_id, variant_id, NULL, NULL, NULL, NULL)::item_change ORDER BY seq) AS changes
      FROM wishlist_item WHERE shop_id = p_shop_id AND wishlist_id = ANY (lists) GROUP BY wishlist_id
  LOOP
    PERFORM list_apply(p_shop_id, list.wishlist_id, list.changes, 'erasure', p_at);
  END LOOP;
  LOOP
    SELECT o.processed, o.last_number INTO processed_count, batch_number FROM outbox_process(p_shop_id, 5000, true) AS o;
    last_number := coalesce(batch_number, last_number);
    EXIT WHEN processed_count < 5000;
  END LOOP;

  -- The customer's shopper rows, now that the outbox is empty: the customer's own, and those of guests who logged in as the customer.
  SELECT array_agg(s.id) INTO shoppers FROM shopper s
   WHERE s.shop_id = p_shop_id
     AND ((s.owner_kind = 'customer' AND s.owner_id = p_customer_id)
          OR s.alias_of = (SELECT c.id FROM shopper c
                            WHERE c.shop_id = p_shop_id AND c.owner_kind = 'customer' AND c.owner_id = p_customer_id));
  SELECT array_agg(g.id) INTO guests
    FROM (SELECT guest_id AS id FROM merged_guest WHERE shop_id = p_shop_id AND customer_id = p_customer_id
          UNION
          SELECT owner_id FROM shopper WHERE shop_id = p_shop_id AND id = ANY (shoppers) AND owner_kind = 'guest') AS g;

  DELETE FROM wishlist WHERE shop_id = p_shop_id AND id = ANY (lists);
  DELETE FROM alert WHERE shop_id = p_shop_id AND customer_id = p_customer_id;
  PERFORM pg_advisory_xact_lock(advisory_lock_key('consent', p_shop_id || ' ' || p_customer_id));
  DELETE FROM alert_consent WHERE shop_id = p_shop_id AND customer_id = p_customer_id;
  DELETE FROM alert_request WHERE shop_id = p_shop_id AND customer_id = p_customer_id;
  DELETE FROM contact WHERE shop_id = p_shop_id AND id = p_customer_id;
  PERFORM pg_advisory_xact_lock(advisory_lock_key('email', p_shop_id || ' ' || p_customer_id));
  DELETE FROM email_message WHERE shop_id = p_shop_id AND customer_id = p_customer_id;
  DELETE FROM email_suppression WHERE shop_id = p_shop_id AND customer_id = p_customer_id;
  UPDATE customer_tagging SET customer_ids = array_remove(customer_ids, p_customer_id)
   WHERE shop_id = p_shop_id AND p_customer_id = ANY (customer_ids);
  -- An order that has been counted stays without its customer, so that a later report does not count it again.
  -- It need not be read any more. An order that has not been read yet is read without its customer.
  UPDATE store_order
     SET customer_id = NULL, closed = ordered_at IS NOT NULL, read_at = CASE WHEN ordered_at IS NULL THEN NULL ELSE coalesce(read_at, p_at) END
   WHERE shop_id = p_shop_id AND customer_id = p_customer_id;
  DELETE FROM order_line WHERE shop_id = p_shop_id AND customer_id = p_customer_id;
  DELETE FROM cart_event WHERE shop_id = p_shop_id AND wishlist_id = ANY (lists);
  DELETE FROM set_aside
   WHERE shop_id = p_shop_id AND kind = 'change'
     AND subject_id IN (SELECT id::text FROM activity
                         WHERE shop_id = p_shop_id AND processed_at = 'infinity'
                           AND ((owner_kind = 'customer' AND owner_id = p_customer_id) OR (owner_kind = 'guest' AND owner_id = ANY (guests))));
  -- Unprocessed rows are newer than this erasure and stay.
  DELETE FROM activity
   WHERE shop_id = p_shop_id AND processed_at IS NOT NULL
     AND ((owner_kind = 'customer' AND owner_id = p_customer_id) OR (owner_kind = 'guest' AND owner_id = ANY (guests)));
  DELETE FROM idempotent_response
   WHERE shop_id = p_shop_id
     AND ((owner_kind = 'customer' AND owner_id = p_customer_id) OR (owner_kind = 'guest' AND owner_id = ANY (guests)));
  DELETE FROM shopper_day WHERE shop_id = p_shop_id AND shopper_id = ANY (shoppers);
  DELETE FROM shopper WHERE shop_id = p_shop_id AND id = ANY (shoppers);
  DELETE FROM merged_guest WHERE shop_id = p_shop_id AND customer_id = p_customer_id;

  SELECT array_agg(id) INTO events FROM webhook_event WHERE shop_id = p_shop_id AND customer_id = p_customer_id;
  SELECT array_agg(id) INTO deliveries FROM webhook_delivery WHERE shop_id = p_shop_id AND event_id = ANY (events);
  -- In this order, an attempt that ends meanwhile either finds no delivery or is deleted here.
  DELETE FROM webhook_delivery WHERE shop_id = p_shop_id AND id = ANY (deliveries);
  DELETE FROM webhook_attempt WHERE shop_id = p_shop_id AND delivery_id = ANY (deliveries);
  DELETE FROM webhook_event WHERE shop_id = p_shop_id AND id = ANY (events);
  RETURN last_number;
END $$;
