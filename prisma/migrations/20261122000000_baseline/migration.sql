-- All tables. The functions that write to them, and the triggers, are in prisma/functions.
--
-- shop_id leads every key and nearly every index. Rollups, events, deliveries, attempts, activity and cart events have no foreign keys,
-- because they are written in bulk; erasing a shop deletes them by shop_id.

CREATE TABLE shop (
  id                   bigserial      PRIMARY KEY,
  domain               text           NOT NULL,
  time_zone            text           NOT NULL DEFAULT 'UTC',
  plan                 text           NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'starter', 'growth')),
  catalog              text           NOT NULL DEFAULT 'none' CHECK (catalog IN ('none', 'syncing', 'ready')),
  share_link_days      integer        NOT NULL DEFAULT 30 CHECK (share_link_days BETWEEN 1 AND 365),
  item_cap             integer        NOT NULL DEFAULT 2500 CHECK (item_cap BETWEEN 1 AND 2500),
  installed_at         timestamptz(3) NOT NULL DEFAULT now(),
  uninstalled_at       timestamptz(3),
  authorized_at        timestamptz(3),
  setup_dismissed_at   timestamptz(3),
  guest_lists          boolean        NOT NULL DEFAULT true,
  guest_retention_days integer        NOT NULL DEFAULT 90 CHECK (guest_retention_days BETWEEN 1 AND 365),
  -- The merchant chose the time zone: Shopify's value no longer replaces it.
  time_zone_chosen     boolean        NOT NULL DEFAULT false,
  -- ISO 4217; NULL until Shopify has reported it.
  currency             text,
  -- Shopify's numeric id of the store. Webhook bodies name the store by it; the headers of a webhook are unsigned.
  store_id             text,
  settings_version     integer        NOT NULL DEFAULT 0,
  changed_at           timestamptz(6) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX shop_domain_key ON shop (domain);
CREATE INDEX shop_changed_at ON shop (changed_at);

CREATE TABLE api_key (
  shop_id          bigint         NOT NULL REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  key_id           text           NOT NULL,
  name             text           NOT NULL,
  -- Which rate limit the key's requests count against.
  kind             text           NOT NULL DEFAULT 'admin' CHECK (kind IN ('admin', 'storefront_server')),
  scopes           text[]         NOT NULL,
  secret_hash      bytea          NOT NULL,
  secret_hint      text           NOT NULL,
  created_at       timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at     timestamptz(3),
  expires_at       timestamptz(3),
  revoked_at       timestamptz(3),
  successor_key_id text,
  changed_at       timestamptz(6) NOT NULL DEFAULT now(),
  PRIMARY KEY (shop_id, key_id)
);
CREATE UNIQUE INDEX api_key_key_id_key ON api_key (key_id);
CREATE INDEX api_key_changed_at ON api_key (changed_at);

-- Sessions of Shopify's library.
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

-- Every key that a process has sealed values with. A start compares it with ENCRYPTION_KEYS instead of reading all sealed values.
CREATE TABLE sealing_key (
  key_id text           PRIMARY KEY,
  since  timestamptz(3) NOT NULL DEFAULT now()
);

-- Wishlists ----------------------------------------------------------------------------------------------------------

CREATE TABLE wishlist (
  shop_id    bigint         NOT NULL REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id         bigserial      NOT NULL,
  owner_kind text           NOT NULL CHECK (owner_kind IN ('customer', 'guest')),
  owner_id   text           NOT NULL,
  handle     text           NOT NULL DEFAULT 'default',
  item_count integer        NOT NULL DEFAULT 0 CHECK (item_count >= 0),
  version    bigint         NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (shop_id, id)
);
CREATE UNIQUE INDEX wishlist_owner ON wishlist (shop_id, owner_kind, owner_id, handle);

CREATE TABLE wishlist_item (
  shop_id     bigint         NOT NULL,
  wishlist_id bigint         NOT NULL,
  product_id  text           NOT NULL,
  variant_id  text           NOT NULL,
  added_at    timestamptz(3) NOT NULL,
  seq         bigserial      NOT NULL,
  -- NULL for an imported item, which belongs to no day's cohort.
  saved_on    date,
  carted_at   timestamptz(3),
  PRIMARY KEY (shop_id, wishlist_id, product_id, variant_id),
  FOREIGN KEY (shop_id, wishlist_id) REFERENCES wishlist (shop_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
-- A page is one range of this index, read without touching the table.
CREATE INDEX wishlist_item_newest ON wishlist_item (shop_id, wishlist_id, added_at DESC, seq DESC)
  INCLUDE (product_id, variant_id);

CREATE TABLE share_link (
  shop_id      bigint         NOT NULL,
  id           bigserial      NOT NULL,
  wishlist_id  bigint         NOT NULL,
  token_hash   bytea          NOT NULL,
  token_sealed text           NOT NULL,
  created_at   timestamptz(3) NOT NULL,
  expires_at   timestamptz(3) NOT NULL,
  revoked_at   timestamptz(3),
  views        integer        NOT NULL DEFAULT 0,
  PRIMARY KEY (shop_id, id),
  FOREIGN KEY (shop_id, wishlist_id) REFERENCES wishlist (shop_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX share_link_token_hash_key ON share_link (token_hash);
-- At most one link of a wishlist is open; an expired one is closed when the next is created.
CREATE UNIQUE INDEX share_link_open ON share_link (shop_id, wishlist_id) WHERE revoked_at IS NULL;
-- All links of a wishlist, and the number of open links of a shop. Counting a view changes neither.
CREATE INDEX share_link_wishlist ON share_link (shop_id, wishlist_id, id);
CREATE INDEX share_link_expires ON share_link (shop_id, expires_at, revoked_at);

-- Guests whose list was merged into a customer's: a late write under such a guest id must not create a list that the next account
-- to log in on this browser would take over. A guest's id is the hash of the id that the browser created.
CREATE TABLE merged_guest (
  shop_id     bigint         NOT NULL REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  guest_id    text           NOT NULL,
  customer_id text           NOT NULL,
  merged_at   timestamptz(3) NOT NULL,
  PRIMARY KEY (shop_id, guest_id)
);
-- For retention, and for the erasure of a customer.
CREATE INDEX merged_guest_at ON merged_guest (shop_id, merged_at);
CREATE INDEX merged_guest_customer ON merged_guest (shop_id, customer_id);

-- New guests of a shop in the current hour (UTC).
CREATE TABLE guest_hour (
  shop_id bigint         PRIMARY KEY REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  hour    timestamptz(3) NOT NULL,
  guests  integer        NOT NULL
);

-- Recorded add-to-cart events: a repeated event id counts once per item.
CREATE TABLE cart_event (
  shop_id     bigint         NOT NULL,
  wishlist_id bigint         NOT NULL,
  event_id    text           NOT NULL,
  product_id  text           NOT NULL,
  variant_id  text           NOT NULL,
  at          timestamptz(3) NOT NULL,
  PRIMARY KEY (shop_id, wishlist_id, event_id, product_id, variant_id)
);
CREATE INDEX cart_event_at ON cart_event (shop_id, at);

-- Catalog cache ------------------------------------------------------------------------------------------------------

CREATE TABLE product (
  shop_id            bigint         NOT NULL REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  product_id         text           NOT NULL,
  handle             text           NOT NULL,
  title              text           NOT NULL,
  image_url          text,
  -- The variant that the store preselects: the first available one, or the first one when all are sold out.
  default_variant_id text           NOT NULL,
  updated_at         timestamptz(3) NOT NULL,
  deleted_at         timestamptz(3),
  seen_at            timestamptz(3) NOT NULL DEFAULT now(),
  status             text           NOT NULL,
  -- When the product is published on the online store; may lie in the future.
  published_at       timestamptz(3),
  -- Stays true after unpublishing: lists may go on showing what shoppers have seen.
  ever_published     boolean        NOT NULL DEFAULT false,
  PRIMARY KEY (shop_id, product_id)
);
-- A storefront names products by their handles.
CREATE INDEX product_handle ON product (shop_id, handle);

CREATE TABLE variant (
  shop_id    bigint         NOT NULL,
  variant_id text           NOT NULL,
  product_id text           NOT NULL,
  title      text           NOT NULL,
  price      numeric(14, 2) NOT NULL,
  available  boolean        NOT NULL,
  position   integer        NOT NULL,
  deleted_at timestamptz(3),
  PRIMARY KEY (shop_id, variant_id),
  FOREIGN KEY (shop_id, product_id) REFERENCES product (shop_id, product_id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX variant_product ON variant (shop_id, product_id);
-- The report of wanted products that are sold out reads only these, which are few.
CREATE INDEX variant_unavailable ON variant (shop_id, product_id) WHERE NOT available AND deleted_at IS NULL;

CREATE TABLE catalog_sync (
  shop_id       bigint         PRIMARY KEY REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  started_at    timestamptz(3) NOT NULL,
  cursor        text,
  seen          integer        NOT NULL DEFAULT 0,
  finished_at   timestamptz(3),
  failed_reason text,
  total         integer
);

-- Outbox and rollups -------------------------------------------------------------------------------------------------

-- The outbox: every change appends to it in its own transaction. outbox_process turns it into rollups and webhook deliveries.
CREATE TABLE activity (
  shop_id         bigint         NOT NULL,
  id              bigserial      NOT NULL,
  kind            text           NOT NULL,
  source          text           NOT NULL,
  owner_kind      text           NOT NULL,
  owner_id        text           NOT NULL,
  wishlist_id     bigint         NOT NULL,
  version         bigint         NOT NULL,
  item_count      integer        NOT NULL,
  product_id      text,
  variant_id      text,
  share_link_id   bigint,
  saved_on        date,
  merged_guest_id text,
  at              timestamptz(3) NOT NULL,
  day             date           NOT NULL,
  processed_at    timestamptz(3),
  PRIMARY KEY (shop_id, id)
) WITH (
  -- Every row is inserted, updated once and deleted by age. Frequent vacuums keep the search for unprocessed rows cheap.
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1
);
CREATE INDEX activity_unprocessed ON activity (shop_id, id) WHERE processed_at IS NULL;

CREATE TABLE daily_stats (
  shop_id         bigint  NOT NULL,
  day             date    NOT NULL,
  items_added     integer NOT NULL DEFAULT 0,
  items_removed   integer NOT NULL DEFAULT 0,
  carted          integer NOT NULL DEFAULT 0,
  cohort_carted   integer NOT NULL DEFAULT 0,
  unique_shoppers integer NOT NULL DEFAULT 0,
  last_seen       integer NOT NULL DEFAULT 0,
  PRIMARY KEY (shop_id, day)
) WITH (fillfactor = 70);

CREATE TABLE period_stats (
  shop_id         bigint  NOT NULL,
  day             date    NOT NULL,
  days            integer NOT NULL,
  active_shoppers integer NOT NULL,
  PRIMARY KEY (shop_id, day, days)
);

CREATE TABLE product_daily (
  shop_id       bigint  NOT NULL,
  product_id    text    NOT NULL,
  day           date    NOT NULL,
  items_added   integer NOT NULL DEFAULT 0,
  items_removed integer NOT NULL DEFAULT 0,
  carted        integer NOT NULL DEFAULT 0,
  PRIMARY KEY (shop_id, product_id, day)
) WITH (fillfactor = 80);
CREATE INDEX product_daily_day ON product_daily (shop_id, day);

CREATE TABLE product_stats (
  shop_id        bigint  NOT NULL,
  product_id     text    NOT NULL,
  wishlist_count integer NOT NULL DEFAULT 0,
  PRIMARY KEY (shop_id, product_id)
) WITH (fillfactor = 80);
CREATE INDEX product_stats_top ON product_stats (shop_id, wishlist_count DESC, product_id);

CREATE TABLE variant_stats (
  shop_id        bigint  NOT NULL,
  product_id     text    NOT NULL,
  variant_id     text    NOT NULL,
  wishlist_count integer NOT NULL DEFAULT 0,
  PRIMARY KEY (shop_id, product_id, variant_id)
) WITH (fillfactor = 80);

CREATE TABLE shopper (
  shop_id        bigint    NOT NULL,
  id             bigserial NOT NULL,
  owner_kind     text      NOT NULL,
  owner_id       text      NOT NULL,
  alias_of       bigint,
  last_active_on date,
  PRIMARY KEY (shop_id, id)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX shopper_owner ON shopper (shop_id, owner_kind, owner_id);

CREATE TABLE shopper_day (
  shop_id    bigint NOT NULL,
  shopper_id bigint NOT NULL,
  day        date   NOT NULL,
  PRIMARY KEY (shop_id, shopper_id, day)
);
CREATE INDEX shopper_day_day ON shopper_day (shop_id, day);

-- Webhooks -----------------------------------------------------------------------------------------------------------

-- One process at a time works on an endpoint: the holder of its lease. due_at is when the endpoint next has something to deliver, and NULL when
-- it has nothing. A transaction that creates a delivery locks the endpoint's row and brings due_at forward (webhook_schedule). A worker that
-- finds nothing left to do locks the row, looks again, and sets due_at to what it finds (webhook_reschedule). So no delivery is overlooked.
CREATE TABLE webhook_endpoint (
  shop_id             bigint         NOT NULL REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id                  text           NOT NULL,
  url                 text           NOT NULL,
  events              text[]         NOT NULL,
  secret_sealed       text           NOT NULL,
  old_secret_sealed   text,
  old_secret_until    timestamptz(3),
  created_at          timestamptz(3) NOT NULL,
  disabled_at         timestamptz(3),
  disabled_reason     text           CHECK (disabled_reason IN ('paused', 'gone', 'failing')),
  failures            integer        NOT NULL DEFAULT 0,
  failing_since       timestamptz(3),
  backoff_until       timestamptz(3),
  due_at              timestamptz(3),
  lease_holder        uuid,
  lease_until         timestamptz(3),
  PRIMARY KEY (shop_id, id),
  CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL))
) WITH (fillfactor = 50);
-- The delivery loop claims endpoints of all shops.
CREATE INDEX webhook_endpoint_due ON webhook_endpoint (due_at) WHERE due_at IS NOT NULL AND disabled_at IS NULL;

CREATE TABLE webhook_event (
  shop_id       bigint         NOT NULL,
  id            uuid           NOT NULL,
  event         text           NOT NULL,
  at            timestamptz(3) NOT NULL,
  customer_id   text           NOT NULL,
  product_id    text,
  variant_id    text,
  share_link_id bigint,
  item_count    integer,
  PRIMARY KEY (shop_id, id)
);

CREATE TABLE webhook_delivery (
  shop_id         bigint         NOT NULL,
  id              uuid           NOT NULL,
  endpoint_id     text           NOT NULL,
  event_id        uuid           NOT NULL,
  event           text           NOT NULL,
  kind            text           NOT NULL CHECK (kind IN ('event', 'test', 'redelivery')),
  -- Lower numbers are sent first: 1 test, 2 redelivery of one event, 3 event, 4 redelivery in bulk (app/webhooks/priority.ts). Staff wait for
  -- 1 and 2, which are sent even while the endpoint backs off.
  priority        smallint       NOT NULL CHECK (priority BETWEEN 1 AND 4),
  status          text           NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
  attempts        integer        NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  created_at      timestamptz(3) NOT NULL,
  redelivered_at  timestamptz(3),
  PRIMARY KEY (shop_id, id),
  CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL))
) WITH (fillfactor = 80);
CREATE INDEX webhook_delivery_pending ON webhook_delivery (shop_id, endpoint_id, priority, next_attempt_at, id)
  WHERE status = 'pending';
-- The log with all of its filters: the matches of each combination are read in the log's order.
CREATE INDEX webhook_delivery_found ON webhook_delivery (shop_id, endpoint_id, status, event, kind, id);
CREATE INDEX webhook_delivery_undelivered ON webhook_delivery (shop_id, endpoint_id, id)
  WHERE status = 'failed' AND kind <> 'test' AND redelivered_at IS NULL;

CREATE TABLE webhook_attempt (
  shop_id     bigint         NOT NULL,
  delivery_id uuid           NOT NULL,
  number      integer        NOT NULL,
  at          timestamptz(3) NOT NULL,
  duration_ms integer        NOT NULL,
  status      integer,
  error       text,
  response    text,
  -- Kept with the attempt, because an endpoint's address can change. NULL where nothing was sent.
  endpoint_id text,
  url         text,
  PRIMARY KEY (shop_id, delivery_id, number)
);
CREATE INDEX webhook_attempt_recent ON webhook_attempt (shop_id, endpoint_id, at);

-- Requests, staff and the merchant's account -------------------------------------------------------------------------

CREATE TABLE idempotent_response (
  shop_id       bigint         NOT NULL REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  key_id        text           NOT NULL,
  key           text           NOT NULL,
  fingerprint   bytea          NOT NULL,
  response_sealed text           NOT NULL,
  created_at    timestamptz(3) NOT NULL,
  PRIMARY KEY (shop_id, key_id, key)
);

CREATE TABLE audit (
  shop_id     bigint         NOT NULL REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id          uuid           NOT NULL,
  at          timestamptz(3) NOT NULL,
  area        text           NOT NULL,
  action      text           NOT NULL,
  subject     text,
  customer_id text,
  details     jsonb          NOT NULL DEFAULT '{}',
  staff_id    text,
  staff_name  text,
  staff_email text,
  PRIMARY KEY (shop_id, id)
);
-- Each filter of the list is a range of an index, in the list's order.
CREATE INDEX audit_area ON audit (shop_id, area, id);
CREATE INDEX audit_staff ON audit (shop_id, staff_id, id);
CREATE INDEX audit_customer ON audit (shop_id, customer_id, id);

CREATE TABLE billing (
  shop_id          bigint         PRIMARY KEY REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  requested_at     timestamptz(3) NOT NULL,
  development      boolean        NOT NULL,
  trial_started_at timestamptz(3),
  plan             text           CHECK (plan IN ('starter', 'growth')),
  status           text           CHECK (status IN ('active', 'frozen')),
  test             boolean        NOT NULL DEFAULT false,
  trial_ends_at    timestamptz(3),
  period_ends_at   timestamptz(3),
  CHECK ((plan IS NULL) = (status IS NULL))
);

CREATE TABLE privacy_request (
  shop_id            bigint         NOT NULL REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
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
CREATE INDEX privacy_request_newest ON privacy_request (shop_id, requested_at DESC, id DESC);

-- Single-use links by which exports are downloaded.
CREATE TABLE export_link (
  shop_id    bigint         NOT NULL REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  token_hash bytea          NOT NULL,
  format     text           NOT NULL CHECK (format IN ('csv', 'ndjson')),
  guests     boolean        NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (shop_id, token_hash)
);

-- Imports ------------------------------------------------------------------------------------------------------------

-- A file is uploaded in parts, read into import_item (the dry run, which reports problems), and imported when the merchant confirms.
CREATE TABLE wishlist_import (
  shop_id       bigint         NOT NULL REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id            text           NOT NULL,
  status        text           NOT NULL
    CHECK (status IN ('uploading', 'reading', 'ready', 'running', 'done', 'cancelled', 'failed', 'undoing', 'undone')),
  format        text           NOT NULL CHECK (format IN ('csv', 'ndjson')),
  file_name     text           NOT NULL,
  size          bigint         NOT NULL CHECK (size > 0),
  received      bigint         NOT NULL DEFAULT 0,
  -- Reading continues at this byte, where this line begins.
  read_bytes    bigint         NOT NULL DEFAULT 0,
  next_line     integer        NOT NULL DEFAULT 1,
  header        text,
  rows_read     integer        NOT NULL DEFAULT 0,
  rows_invalid  integer        NOT NULL DEFAULT 0,
  -- Distinct items and lists of the file, followed by what the dry run foresaw for them.
  items         integer        NOT NULL DEFAULT 0,
  lists         integer        NOT NULL DEFAULT 0,
  items_new     integer        NOT NULL DEFAULT 0,
  items_refused integer        NOT NULL DEFAULT 0,
  -- Items whose product or variant is not in the catalog cache, and whether the merchant leaves them out.
  items_unknown integer        NOT NULL DEFAULT 0,
  leave_unknown boolean        NOT NULL DEFAULT false,
  -- The import continues after this owner.
  last_kind     text           NOT NULL DEFAULT '',
  last_owner    text           NOT NULL DEFAULT '',
  items_done    integer        NOT NULL DEFAULT 0,
  items_added   integer        NOT NULL DEFAULT 0,
  lists_refused integer        NOT NULL DEFAULT 0,
  items_undone  integer        NOT NULL DEFAULT 0,
  created_at    timestamptz(3) NOT NULL,
  updated_at    timestamptz(3) NOT NULL,
  finished_at   timestamptz(3),
  failed_reason text,
  PRIMARY KEY (shop_id, id)
);
-- One import of a shop at a time.
CREATE UNIQUE INDEX wishlist_import_open ON wishlist_import (shop_id)
  WHERE status IN ('uploading', 'reading', 'ready', 'running', 'undoing');
CREATE INDEX wishlist_import_newest ON wishlist_import (shop_id, created_at DESC);

-- The uploaded file, until it has been read.
CREATE TABLE import_part (
  shop_id   bigint NOT NULL,
  import_id text   NOT NULL,
  -- Offset of the part's first byte in the file.
  at_byte   bigint NOT NULL,
  bytes     bytea  NOT NULL,
  PRIMARY KEY (shop_id, import_id, at_byte),
  FOREIGN KEY (shop_id, import_id) REFERENCES wishlist_import (shop_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE import_item (
  shop_id    bigint         NOT NULL,
  import_id  text           NOT NULL,
  owner_kind text           NOT NULL,
  owner_id   text           NOT NULL,
  product_id text           NOT NULL,
  variant_id text           NOT NULL,
  added_at   timestamptz(3) NOT NULL,
  line       integer        NOT NULL,
  PRIMARY KEY (shop_id, import_id, owner_kind, owner_id, product_id, variant_id),
  FOREIGN KEY (shop_id, import_id) REFERENCES wishlist_import (shop_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);

-- The report of the dry run. It names lines and never a shopper.
CREATE TABLE import_problem (
  shop_id   bigint  NOT NULL,
  import_id text    NOT NULL,
  line      integer NOT NULL,
  field     text    NOT NULL,
  problem   text    NOT NULL,
  PRIMARY KEY (shop_id, import_id, line, field),
  FOREIGN KEY (shop_id, import_id) REFERENCES wishlist_import (shop_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);

-- Items that an import added, as long as it can be undone. seq distinguishes the row from a later one of the same variant.
CREATE TABLE import_added (
  shop_id     bigint         NOT NULL,
  import_id   text           NOT NULL,
  wishlist_id bigint         NOT NULL,
  seq         bigint         NOT NULL,
  product_id  text           NOT NULL,
  variant_id  text           NOT NULL,
  added_at    timestamptz(3) NOT NULL,
  PRIMARY KEY (shop_id, import_id, wishlist_id, seq),
  FOREIGN KEY (shop_id, import_id) REFERENCES wishlist_import (shop_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
