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
  changed_at           timestamptz(6) NOT NULL DEFAULT now(),
  named_lists          boolean        NOT NULL DEFAULT true,
  -- When the currency was replaced by another: prices from before are not compared with those after.
  currency_changed_at  timestamptz(3),
  -- Links in events lead through the app proxy, whose path merchants can change. The store's signed requests tell it.
  store_path           text           NOT NULL DEFAULT '/apps/wishlist',
  -- The store's format of prices, as Shopify reports it.
  money_format         text,
  -- Whether the admin shows customers' names: a display setting, apart from the permission to read them.
  customer_names       boolean        NOT NULL DEFAULT true,
  -- When the merchant said that the store's menu leads to the wishlist page, which the app can't see.
  menu_linked_at       timestamptz(3)
);
CREATE UNIQUE INDEX shop_domain_key ON shop (domain);
CREATE INDEX shop_changed_at ON shop (changed_at);

CREATE TABLE api_key (
  shop_id          bigint         NOT NULL REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  key_id           text           NOT NULL,
  name             text           NOT NULL,
  -- Which rate limit the key's requests count against.
  kind             text           NOT NULL DEFAULT 'admin' CHECK (kind IN ('admin', 'storefront_server', 'publishable')),
  scopes           text[]         NOT NULL,
  secret_hash      bytea          NOT NULL,
  secret_hint      text           NOT NULL,
  created_at       timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at     timestamptz(3),
  expires_at       timestamptz(3),
  revoked_at       timestamptz(3),
  successor_key_id text,
  changed_at       timestamptz(6) NOT NULL DEFAULT now(),
  -- Keys for browsers and apps have no secret that works, and are bound to the origins of the shop's pages.
  allowed_origins  text[]         DEFAULT ARRAY[]::text[],
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
  refresh_token_expires timestamptz(3),
  -- One process at a time refreshes the tokens of a shop. A refusal is kept for the operator.
  refresh_lease_until   timestamptz(3),
  refresh_failed_since  timestamptz(3),
  refresh_error         text
);
CREATE INDEX session_shop ON session (shop);

-- Every key that a process has sealed values with. A start compares it with ENCRYPTION_KEYS instead of reading all sealed values.
CREATE TABLE sealing_key (
  key_id text           PRIMARY KEY,
  since  timestamptz(3) NOT NULL DEFAULT now()
);

-- When a job of a shop runs next, and which process runs it (app/platform/jobs/shop-jobs.server.ts).
CREATE TABLE shop_maintenance (
  shop_id       bigint         NOT NULL REFERENCES shop (id) ON UPDATE CASCADE ON DELETE CASCADE,
  job           text           NOT NULL,
  due_at        timestamptz(3) NOT NULL,
  finished_at   timestamptz(3),
  -- failed runs since the last success
  failures      integer        NOT NULL DEFAULT 0,
  lease_holder  uuid,
  lease_until   timestamptz(3),
  PRIMARY KEY (shop_id, job)
);
CREATE INDEX shop_maintenance_due ON shop_maintenance (job, due_at);

-- Wishlists ----------------------------------------------------------------------------------------------------------

-- A list of an owner. handle is the list's public id; 'default' is the list without one.
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
  name        text,
  name_key    text,
  position    double precision NOT NULL DEFAULT 0,
  has_details boolean        NOT NULL DEFAULT false,
  -- The row of a deleted list stays as long as its history, so that a restore can bring the list back.
  deleted_at  timestamptz(3),
  PRIMARY KEY (shop_id, id)
);
CREATE UNIQUE INDEX wishlist_owner ON wishlist (shop_id, owner_kind, owner_id, handle);
CREATE UNIQUE INDEX wishlist_name ON wishlist (shop_id, owner_kind, owner_id, name_key) WHERE name_key IS NOT NULL AND deleted_at IS NULL;
-- For the purge of deleted lists.
CREATE INDEX wishlist_deleted ON wishlist (shop_id, deleted_at) WHERE deleted_at IS NOT NULL;

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
  -- Details that the shopper or the caller sets, and the price in the catalog when the item was saved.
  quantity    integer,
  note        text,
  properties  jsonb,
  position    double precision,
  saved_price numeric(20, 2),
  PRIMARY KEY (shop_id, wishlist_id, product_id, variant_id),
  FOREIGN KEY (shop_id, wishlist_id) REFERENCES wishlist (shop_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
-- A page is one range of this index, read without touching the table.
CREATE INDEX wishlist_item_newest ON wishlist_item (shop_id, wishlist_id, added_at DESC, seq DESC)
  INCLUDE (product_id, variant_id);
-- For the owners of a variant.
CREATE INDEX wishlist_item_variant ON wishlist_item (shop_id, product_id, variant_id, wishlist_id);

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
CREATE UNIQUE INDEX share_link_token ON share_link (shop_id, token_hash);
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

-- The same of each address and network: without a share for each, one address could use up a shop's new guests of an hour.
CREATE TABLE guest_origin_hour (
  shop_id bigint NOT NULL REFERENCES shop (id) ON UPDATE CASCADE ON DELETE CASCADE,
  origin text NOT NULL,
  hour timestamptz(3) NOT NULL,
  guests integer NOT NULL,
  PRIMARY KEY (shop_id, origin)
);
CREATE INDEX guest_origin_hour_hour ON guest_origin_hour (shop_id, hour);

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

-- Prices have room for amounts in Vietnamese dong or Indonesian rupiah, which have four digits more than in dollars.
CREATE TABLE variant (
  shop_id    bigint         NOT NULL,
  variant_id text           NOT NULL,
  product_id text           NOT NULL,
  title      text           NOT NULL,
  price      numeric(20, 2) NOT NULL,
  available  boolean        NOT NULL,
  position   integer        NOT NULL,
  deleted_at timestamptz(3),
  compare_at_price numeric(20, 2),
  inventory  integer,
  inventory_item_id text,
  low_stock_armed boolean        NOT NULL DEFAULT true,
  PRIMARY KEY (shop_id, variant_id),
  FOREIGN KEY (shop_id, product_id) REFERENCES product (shop_id, product_id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX variant_product ON variant (shop_id, product_id);
-- The report of wanted products that are sold out reads only these, which are few.
CREATE INDEX variant_unavailable ON variant (shop_id, product_id) WHERE NOT available AND deleted_at IS NULL;
CREATE INDEX variant_inventory_item ON variant (shop_id, inventory_item_id) WHERE inventory_item_id IS NOT NULL;

CREATE TABLE catalog_sync (
  shop_id       bigint         PRIMARY KEY REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  started_at    timestamptz(3) NOT NULL,
  cursor        text,
  seen          integer        NOT NULL DEFAULT 0,
  finished_at   timestamptz(3),
  failed_reason text,
  total         integer
);

-- Counts the writes to a shop's catalog cache, so that pages with the data of products can be kept in memory until the next one.
CREATE TABLE catalog_version (
  shop_id bigint PRIMARY KEY REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  version bigint NOT NULL
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
  -- The trace of a change, as W3C traceparent, so that the outbox processor and the deliveries continue it. The default lets the functions that write
  -- activity know nothing of it: a process that traces the change sets wishlist.trace on its connection.
  trace           text           DEFAULT nullif(current_setting('wishlist.trace', true), ''),
  -- What the change feed and a restore need beyond the columns that the reports use.
  list_id         text,
  data            jsonb,
  before          jsonb,
  change_number   bigint,
  -- The sequence number of an added or updated item, which orders items with the same time: the change feed shows it.
  item_seq        bigint,
  PRIMARY KEY (shop_id, id)
) WITH (
  autovacuum_vacuum_insert_scale_factor = 0.1,
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200000, vacuum_index_cleanup = on
);
CREATE INDEX activity_unprocessed ON activity (shop_id, id) WHERE processed_at IS NULL;
CREATE UNIQUE INDEX activity_change ON activity (shop_id, change_number) WHERE change_number IS NOT NULL;
-- For the history of a list.
CREATE INDEX activity_version ON activity (shop_id, wishlist_id, version);
-- The few changes with texts of shoppers, by which a shop's quota of them is counted.
CREATE INDEX activity_texts ON activity (shop_id, owner_kind, id)
  WHERE before ?| ARRAY['note', 'properties'] OR data ?| ARRAY['note', 'properties'];

-- The last change number of each shop, and the number up to which changes were deleted by age.
CREATE TABLE shop_change (
  shop_id     bigint PRIMARY KEY REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  last_number bigint NOT NULL DEFAULT 0,
  purged_to   bigint NOT NULL DEFAULT 0
);

-- Orders and products of the store that could not be stored, and changes that could not be processed, with the reason. What is about them elsewhere stays as
-- it was.
CREATE TABLE set_aside (
  shop_id bigint NOT NULL,
  -- order, product, change
  kind text NOT NULL,
  subject_id text NOT NULL,
  reason text NOT NULL,
  at timestamptz(3) NOT NULL,
  failures integer NOT NULL DEFAULT 1,
  -- When processing a change is tried again.
  retry_at timestamptz(3),
  PRIMARY KEY (shop_id, kind, subject_id)
);
CREATE INDEX set_aside_retry ON set_aside (retry_at);

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
  -- Opt-in batches: requests with several events.
  batch               boolean        NOT NULL DEFAULT false,
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
  -- NULL in an operational event, which is about the shop's webhooks.
  customer_id   text,
  product_id    text,
  variant_id    text,
  share_link_id bigint,
  item_count    integer,
  data          json,
  trace         text,
  list_id       text,
  PRIMARY KEY (shop_id, id)
);

CREATE TABLE webhook_delivery (
  shop_id         bigint         NOT NULL,
  id              uuid           NOT NULL,
  endpoint_id     text           NOT NULL,
  event_id        uuid           NOT NULL,
  event           text           NOT NULL,
  kind            text           NOT NULL CHECK (kind IN ('event', 'test', 'redelivery')),
  -- Lower numbers are sent first: 1 test, 2 redelivery of one event, 3 event, 4 redelivery in bulk (app/webhooks/delivery/priority.ts). Staff wait for
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
  -- The batch in which an attempt was sent: its request names the batch instead of the event.
  batch_id    uuid,
  PRIMARY KEY (shop_id, delivery_id, number)
);
CREATE INDEX webhook_attempt_recent ON webhook_attempt (shop_id, endpoint_id, at);

-- Which triggers of Shopify Flow a shop's workflows use. Their deliveries are those of the webhook `flow`.
CREATE TABLE flow_trigger (
  shop_id bigint NOT NULL REFERENCES shop (id) ON UPDATE CASCADE ON DELETE CASCADE,
  handle text NOT NULL,
  enabled boolean NOT NULL,
  changed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (shop_id, handle)
);

-- Requests, staff and the merchant's account -------------------------------------------------------------------------

CREATE TABLE idempotent_response (
  shop_id       bigint         NOT NULL REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  key_id        text           NOT NULL,
  key           text           NOT NULL,
  fingerprint   bytea          NOT NULL,
  response_sealed text         NOT NULL,
  created_at    timestamptz(3) NOT NULL,
  -- Whose lists a request was about, so that the owner's erasure finds the response to it.
  owner_kind    text,
  owner_id      text,
  PRIMARY KEY (shop_id, key_id, key)
);
-- For the purge by age, which would otherwise read all responses of a shop.
CREATE INDEX idempotent_response_created ON idempotent_response (shop_id, created_at);
CREATE INDEX idempotent_response_owner ON idempotent_response (shop_id, owner_kind, owner_id);

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
  -- Changes of the command line: the operating system's user who ran it.
  operator    text,
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

-- A file is uploaded in parts, read into import_entry (the dry run, which reports problems), and imported when the merchant confirms.
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
  -- The lists that an import creates: files also contain lists without items.
  lists_new     integer        NOT NULL DEFAULT 0,
  lists_created integer        NOT NULL DEFAULT 0,
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

-- The items of a file, by list and with details. A row without a product stands for a list without items.
CREATE TABLE import_entry (
  shop_id    bigint           NOT NULL,
  import_id  text             NOT NULL,
  owner_kind text             NOT NULL,
  owner_id   text             NOT NULL,
  list_key   text             NOT NULL DEFAULT '',
  product_id text             NOT NULL,
  variant_id text             NOT NULL,
  added_at   timestamptz(3)   NOT NULL,
  line       integer          NOT NULL,
  list_id    text,
  list_name  text,
  name_key   text,
  quantity   integer,
  note       text,
  properties jsonb,
  position   double precision,
  -- The price of the item when it was saved.
  saved_price numeric(20, 2),
  PRIMARY KEY (shop_id, import_id, owner_kind, owner_id, list_key, product_id, variant_id),
  FOREIGN KEY (shop_id, import_id) REFERENCES wishlist_import (shop_id, id) ON DELETE CASCADE
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
  -- Whether the import created the item's list, which an undo then deletes when it is empty.
  list_created boolean        NOT NULL DEFAULT false,
  PRIMARY KEY (shop_id, import_id, wishlist_id, seq),
  FOREIGN KEY (shop_id, import_id) REFERENCES wishlist_import (shop_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);

-- Alerts --------------------------------------------------------------------------------------------------------------

-- Changes of the catalog, what follows from them, and the alerts that customers get.

CREATE TABLE alert_settings (
  shop_id bigint PRIMARY KEY REFERENCES shop (id) ON UPDATE CASCADE ON DELETE CASCADE,
  kinds text[] NOT NULL DEFAULT ARRAY[]::text[],
  mode text NOT NULL DEFAULT 'consent' CHECK (mode IN ('consent', 'merchant_managed')),
  price_drop_percent integer NOT NULL DEFAULT 5 CHECK (price_drop_percent BETWEEN 1 AND 90),
  low_stock_quantity integer NOT NULL DEFAULT 5 CHECK (low_stock_quantity BETWEEN 1 AND 1000),
  reminder_days integer NOT NULL DEFAULT 14 CHECK (reminder_days BETWEEN 1 AND 365),
  cool_down_hours integer NOT NULL DEFAULT 24 CHECK (cool_down_hours BETWEEN 1 AND 720),
  quiet_from integer CHECK (quiet_from BETWEEN 0 AND 23),
  quiet_until integer CHECK (quiet_until BETWEEN 0 AND 23),
  digest_at integer CHECK (digest_at BETWEEN 0 AND 23),
  version integer NOT NULL DEFAULT 0,
  paused_until timestamptz(3),
  -- When the shop's alerts have something to do next, so that a poll need not look at every shop.
  due_at timestamptz(3),
  CHECK (kinds <@ ARRAY['price_dropped', 'back_in_stock', 'low_stock', 'reminder_due']),
  CHECK ((quiet_from IS NULL) = (quiet_until IS NULL) AND quiet_from <> quiet_until)
);
CREATE INDEX alert_settings_due ON alert_settings (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE variant_change (
  shop_id bigint NOT NULL,
  id bigserial NOT NULL,
  product_id text NOT NULL,
  variant_id text NOT NULL,
  at timestamptz(3) NOT NULL,
  old_price numeric(20, 2),
  price numeric(20, 2) NOT NULL,
  old_compare_at_price numeric(20, 2),
  compare_at_price numeric(20, 2),
  old_available boolean NOT NULL,
  available boolean NOT NULL,
  old_inventory integer,
  inventory integer,
  processed_at timestamptz(3),
  PRIMARY KEY (shop_id, id)
);
CREATE INDEX variant_change_unprocessed ON variant_change (shop_id, id) WHERE processed_at IS NULL;
CREATE INDEX variant_change_availability ON variant_change (shop_id, variant_id, id) WHERE available <> old_available;

CREATE TABLE alert_occurrence (
  shop_id bigint NOT NULL,
  id bigserial NOT NULL,
  kind text NOT NULL CHECK (kind IN ('price_dropped', 'back_in_stock', 'low_stock', 'reminder_due')),
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'done', 'cancelled')),
  product_id text,
  variant_id text,
  day date,
  change_id bigint,
  at timestamptz(3) NOT NULL,
  due_at timestamptz(3) NOT NULL,
  price numeric(20, 2),
  old_price numeric(20, 2),
  last_wishlist_id bigint NOT NULL DEFAULT 0,
  last_product_id text NOT NULL DEFAULT '',
  last_variant_id text NOT NULL DEFAULT '',
  alerts integer NOT NULL DEFAULT 0,
  finished_at timestamptz(3),
  PRIMARY KEY (shop_id, id)
);
CREATE INDEX alert_occurrence_open ON alert_occurrence (shop_id, due_at, id) WHERE status = 'open';
CREATE UNIQUE INDEX alert_occurrence_change ON alert_occurrence (shop_id, change_id, kind) WHERE change_id IS NOT NULL;
CREATE UNIQUE INDEX alert_occurrence_day ON alert_occurrence (shop_id, day, kind) WHERE day IS NOT NULL;

CREATE TABLE alert (
  shop_id bigint NOT NULL,
  id uuid NOT NULL,
  occurrence_id bigint NOT NULL,
  kind text NOT NULL,
  customer_id text NOT NULL,
  wishlist_id bigint NOT NULL,
  list_id text,
  product_id text NOT NULL,
  variant_id text NOT NULL,
  saved_at timestamptz(3) NOT NULL,
  reference_price numeric(20, 2),
  price numeric(20, 2),
  consent_at timestamptz(3),
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'sent', 'suppressed')),
  reason text,
  created_at timestamptz(3) NOT NULL,
  due_at timestamptz(3) NOT NULL,
  sent_at timestamptz(3),
  event_id uuid,
  opened_at timestamptz(3),
  returned_at timestamptz(3),
  carted_at timestamptz(3),
  bought_at timestamptz(3),
  PRIMARY KEY (shop_id, id)
);
CREATE UNIQUE INDEX alert_once ON alert (shop_id, customer_id, variant_id, occurrence_id);
-- For the alert log's filters and the totals by kind.
CREATE INDEX alert_outcome ON alert (shop_id, kind, status, id);
CREATE INDEX alert_pending ON alert (shop_id, due_at, customer_id) WHERE status = 'pending';

-- What customers have asked for and withdrawn, in their words' order: rows are only ever added, and the latest of a customer and kind is in force.
CREATE TABLE alert_consent (
  shop_id bigint NOT NULL,
  customer_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('price_dropped', 'back_in_stock', 'low_stock', 'reminder_due')),
  id bigserial NOT NULL,
  given boolean NOT NULL,
  at timestamptz(3) NOT NULL,
  source text NOT NULL CHECK (source IN ('storefront', 'link', 'api')),
  wording text,
  locale text,
  PRIMARY KEY (shop_id, customer_id, kind, id)
);

-- Orders --------------------------------------------------------------------------------------------------------------

-- Orders, as far as wishlists had a part in them, and what they brought.

CREATE TABLE store_order (
  shop_id bigint NOT NULL,
  order_id text NOT NULL,
  customer_id text,
  reported_at timestamptz(3) NOT NULL,
  reports integer NOT NULL DEFAULT 1,
  read_at timestamptz(3),
  updated_at timestamptz(3),
  ordered_at timestamptz(3),
  day date,
  currency text,
  counted boolean NOT NULL DEFAULT false,
  closed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (shop_id, order_id)
);
CREATE INDEX store_order_unread ON store_order (shop_id, reported_at, order_id) WHERE read_at IS NULL;
CREATE INDEX store_order_age ON store_order (shop_id, reported_at);
CREATE INDEX store_order_customer ON store_order (shop_id, customer_id) WHERE customer_id IS NOT NULL;

CREATE TABLE order_line (
  shop_id bigint NOT NULL,
  order_id text NOT NULL,
  line_id text NOT NULL,
  customer_id text NOT NULL,
  product_id text NOT NULL,
  variant_id text NOT NULL,
  list_id text,
  saved_at timestamptz(3) NOT NULL,
  ordered_at timestamptz(3) NOT NULL,
  units integer NOT NULL,
  revenue numeric(20, 2) NOT NULL,
  PRIMARY KEY (shop_id, order_id, line_id)
);
CREATE INDEX order_line_customer ON order_line (shop_id, customer_id, variant_id, ordered_at);

CREATE TABLE revenue_daily (
  shop_id bigint NOT NULL,
  day date NOT NULL,
  currency text NOT NULL,
  orders integer NOT NULL DEFAULT 0,
  saved_orders integer NOT NULL DEFAULT 0,
  units integer NOT NULL DEFAULT 0,
  revenue numeric(24, 2) NOT NULL DEFAULT 0,
  PRIMARY KEY (shop_id, day, currency)
);

CREATE TABLE product_revenue (
  shop_id bigint NOT NULL,
  product_id text NOT NULL,
  day date NOT NULL,
  currency text NOT NULL,
  orders integer NOT NULL DEFAULT 0,
  units integer NOT NULL DEFAULT 0,
  revenue numeric(24, 2) NOT NULL DEFAULT 0,
  PRIMARY KEY (shop_id, product_id, day, currency)
);
CREATE INDEX product_revenue_day ON product_revenue (shop_id, day);

-- Autovacuum ----------------------------------------------------------------------------------------------------------

-- When autovacuum cleans the log-like tables. By default it waits for a fifth of a table, which is 80 days of purges where rows stay for 400.
--
-- activity, webhook_delivery, variant_change and alert: each row is updated once and thereby leaves the partial index of the rows that wait, whose dead entries
-- every look for waiting rows steps over. Their number is therefore bounded as such, not as a share of the table, and index_cleanup is on,
-- because a vacuum otherwise leaves the indexes alone while less than 2 % of a table's pages have dead rows.

ALTER TABLE webhook_delivery SET (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100000, vacuum_index_cleanup = on
);
ALTER TABLE cart_event SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
ALTER TABLE shopper_day SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
ALTER TABLE webhook_event SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000);
ALTER TABLE webhook_attempt SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000);
ALTER TABLE audit SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
ALTER TABLE variant_change SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100000, vacuum_index_cleanup = on);
ALTER TABLE alert SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200000, vacuum_index_cleanup = on);
