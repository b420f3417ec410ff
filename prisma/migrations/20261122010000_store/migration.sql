-- What connects a shop to its Shopify store: sessions, the catalogue mirror's progress, privacy requests.

ALTER TABLE shop ADD COLUMN authorized_at timestamptz(3);

-- A storefront names products by their handles.
CREATE INDEX product_handle ON product (shop_id, handle);
ALTER TABLE product ADD COLUMN seen_at timestamptz(3) NOT NULL DEFAULT now();

CREATE TABLE session (
  id                    text           PRIMARY KEY,
  shop                  text           NOT NULL,
  state                 text           NOT NULL,
  is_online             boolean        NOT NULL DEFAULT false,
  scope                 text,
  expires               timestamptz(3),
  access_token          text           NOT NULL,
  user_id               bigint,
  first_name            text,
  last_name             text,
  email                 text,
  account_owner         boolean        NOT NULL DEFAULT false,
  locale                text,
  collaborator          boolean        DEFAULT false,
  email_verified        boolean        DEFAULT false,
  refresh_token         text,
  refresh_token_expires timestamptz(3)
);
CREATE INDEX session_shop ON session (shop);

CREATE TABLE catalog_sync (
  shop_id       integer        PRIMARY KEY REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  started_at    timestamptz(3) NOT NULL,
  cursor        text,
  seen          integer        NOT NULL DEFAULT 0,
  finished_at   timestamptz(3),
  failed_reason text
);

CREATE TABLE privacy_request (
  shop_id            integer        NOT NULL REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id                 text           NOT NULL,
  kind               text           NOT NULL CHECK (kind IN ('data_request', 'redact')),
  shopify_request_id text,
  webhook_id         text           NOT NULL,
  status             text           NOT NULL CHECK (status IN ('pending', 'completed')),
  requested_at       timestamptz(3) NOT NULL,
  due_at             timestamptz(3) NOT NULL,
  completed_at       timestamptz(3),
  subject_sealed     text,
  record_sealed      text,
  PRIMARY KEY (shop_id, id),
  CHECK ((status = 'completed') = (completed_at IS NOT NULL))
);
CREATE UNIQUE INDEX privacy_request_webhook ON privacy_request (shop_id, webhook_id);

-- ---------------------------------------------------------------------------------------------------------------------
-- Forgets a customer: everything that names them or one of the guests who turned out to be them. What was counted stays counted: the
-- sums of days have no names. Only what is saved now is one less for each item, which the relay takes in first.

CREATE FUNCTION customer_erase(p_shop_id integer, p_customer_id text, p_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  lists bigint[];
  guests text[];
  shoppers bigint[];
  events uuid[];
  deliveries uuid[];
  waiting integer;
BEGIN
  -- The relay's turn: nothing of the customer is half counted while they go.
  PERFORM pg_advisory_xact_lock(1, p_shop_id);
  PERFORM 1 FROM wishlist WHERE shop_id = p_shop_id AND owner_kind = 'customer' AND owner_id = p_customer_id FOR UPDATE;
  SELECT array_agg(id) INTO lists FROM wishlist
   WHERE shop_id = p_shop_id AND owner_kind = 'customer' AND owner_id = p_customer_id;

  WITH gone AS (
    DELETE FROM wishlist_item WHERE shop_id = p_shop_id AND wishlist_id = ANY (lists)
    RETURNING wishlist_id, product_id, variant_id
  )
  INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count,
                        product_id, variant_id, at, day)
  SELECT p_shop_id, 'removed', 'erasure', 'customer', p_customer_id, w.id, w.version + 1, 0,
         g.product_id, g.variant_id, p_at, (p_at AT TIME ZONE s.time_zone)::date
    FROM gone g
    JOIN wishlist w ON w.shop_id = p_shop_id AND w.id = g.wishlist_id
    JOIN shop s ON s.id = p_shop_id;
  LOOP
    SELECT relayed INTO waiting FROM relay(p_shop_id, 5000, true);
    EXIT WHEN waiting < 5000;
  END LOOP;

  -- Who they are to the reports, now that all that waited is counted: themselves, and guests who logged in as them.
  SELECT array_agg(s.id) INTO shoppers FROM shopper s
   WHERE s.shop_id = p_shop_id
     AND ((s.owner_kind = 'customer' AND s.owner_id = p_customer_id)
          OR s.alias_of = (SELECT c.id FROM shopper c
                            WHERE c.shop_id = p_shop_id AND c.owner_kind = 'customer' AND c.owner_id = p_customer_id));
  SELECT array_agg(g.id) INTO guests
    FROM (SELECT guest_id AS id FROM folded_guest WHERE shop_id = p_shop_id AND customer_id = p_customer_id
          UNION
          SELECT owner_id FROM shopper WHERE shop_id = p_shop_id AND id = ANY (shoppers) AND owner_kind = 'guest') AS g;

  DELETE FROM wishlist WHERE shop_id = p_shop_id AND id = ANY (lists);
  DELETE FROM cart_event WHERE shop_id = p_shop_id AND wishlist_id = ANY (lists);
  -- What they do from now on, and has not been counted yet, is a new beginning.
  DELETE FROM activity
   WHERE shop_id = p_shop_id AND relayed_at IS NOT NULL
     AND ((owner_kind = 'customer' AND owner_id = p_customer_id) OR (owner_kind = 'guest' AND owner_id = ANY (guests)));
  DELETE FROM shopper_day WHERE shop_id = p_shop_id AND shopper_id = ANY (shoppers);
  DELETE FROM shopper WHERE shop_id = p_shop_id AND id = ANY (shoppers);
  DELETE FROM folded_guest WHERE shop_id = p_shop_id AND customer_id = p_customer_id;

  SELECT array_agg(id) INTO events FROM webhook_event WHERE shop_id = p_shop_id AND customer_id = p_customer_id;
  SELECT array_agg(id) INTO deliveries FROM webhook_delivery WHERE shop_id = p_shop_id AND event_id = ANY (events);
  -- In this order: an attempt that ends meanwhile finds no delivery any more, or is found here.
  DELETE FROM webhook_delivery WHERE shop_id = p_shop_id AND id = ANY (deliveries);
  DELETE FROM webhook_attempt WHERE shop_id = p_shop_id AND delivery_id = ANY (deliveries);
  DELETE FROM webhook_event WHERE shop_id = p_shop_id AND id = ANY (events);
END $$;
