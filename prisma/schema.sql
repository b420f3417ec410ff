-- The schema that the migrations and functions create. Written by `npm run db:schema`; a test compares it with a migrated database.

CREATE SEQUENCE activity_id_seq AS bigint;
CREATE SEQUENCE alert_consent_id_seq AS bigint;
CREATE SEQUENCE alert_occurrence_id_seq AS bigint;
CREATE SEQUENCE share_link_id_seq AS bigint;
CREATE SEQUENCE shop_id_seq AS bigint;
CREATE SEQUENCE shopper_id_seq AS bigint;
CREATE SEQUENCE variant_change_id_seq AS bigint;
CREATE SEQUENCE wishlist_id_seq AS bigint;
CREATE SEQUENCE wishlist_item_seq_seq AS bigint;
CREATE SEQUENCE wishlist_view_id_seq AS bigint;

CREATE TABLE activity (
  shop_id bigint NOT NULL,
  id bigint NOT NULL DEFAULT nextval('activity_id_seq'::regclass),
  kind text NOT NULL,
  source text NOT NULL,
  owner_kind text NOT NULL,
  owner_id text NOT NULL,
  wishlist_id bigint NOT NULL,
  version bigint NOT NULL,
  item_count integer NOT NULL,
  product_id text,
  variant_id text,
  share_link_id bigint,
  saved_on date,
  merged_guest_id text,
  at timestamp(3) with time zone NOT NULL,
  day date NOT NULL,
  processed_at timestamp(3) with time zone,
  trace text DEFAULT NULLIF(current_setting('wishlist.trace'::text, true), ''::text),
  list_id text,
  data jsonb,
  before jsonb,
  change_number bigint,
  item_seq bigint,
  CONSTRAINT activity_pkey PRIMARY KEY (shop_id, id)
) WITH (autovacuum_vacuum_insert_scale_factor=0.1, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=200000, vacuum_index_cleanup=on);
CREATE UNIQUE INDEX activity_change ON activity USING btree (shop_id, change_number) WHERE (change_number IS NOT NULL);
CREATE INDEX activity_texts ON activity USING btree (shop_id, owner_kind, id) WHERE ((before ?| ARRAY['note'::text, 'properties'::text]) OR (data ?| ARRAY['note'::text, 'properties'::text]));
CREATE INDEX activity_unprocessed ON activity USING btree (shop_id, id) WHERE (processed_at IS NULL);
CREATE INDEX activity_version ON activity USING btree (shop_id, wishlist_id, version);

CREATE TABLE activity_hourly (
  shop_id bigint NOT NULL,
  day date NOT NULL,
  hour smallint NOT NULL,
  owner_kind text NOT NULL,
  source text NOT NULL,
  items_added integer NOT NULL DEFAULT 0,
  items_removed integer NOT NULL DEFAULT 0,
  carted integer NOT NULL DEFAULT 0,
  shared integer NOT NULL DEFAULT 0,
  CONSTRAINT activity_hourly_pkey PRIMARY KEY (shop_id, day, hour, owner_kind, source)
) WITH (fillfactor=70);

CREATE TABLE alert (
  shop_id bigint NOT NULL,
  id uuid NOT NULL,
  occurrence_id bigint NOT NULL,
  kind text NOT NULL,
  customer_id text NOT NULL,
  wishlist_id bigint,
  list_id text,
  product_id text NOT NULL,
  variant_id text NOT NULL,
  saved_at timestamp(3) with time zone NOT NULL,
  reference_price numeric,
  price numeric,
  consent_at timestamp(3) with time zone,
  status text NOT NULL DEFAULT 'pending'::text,
  reason text,
  created_at timestamp(3) with time zone NOT NULL,
  due_at timestamp(3) with time zone NOT NULL,
  sent_at timestamp(3) with time zone,
  event_id uuid,
  opened_at timestamp(3) with time zone,
  returned_at timestamp(3) with time zone,
  carted_at timestamp(3) with time zone,
  bought_at timestamp(3) with time zone,
  request_id uuid,
  CONSTRAINT alert_pkey PRIMARY KEY (shop_id, id),
  CONSTRAINT alert_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'sent'::text, 'suppressed'::text])))
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=200000, vacuum_index_cleanup=on);
CREATE INDEX alert_bought ON alert USING btree (shop_id, occurrence_id, id) WHERE (bought_at IS NOT NULL);
CREATE INDEX alert_moment ON alert USING btree (shop_id, occurrence_id, status, id) INCLUDE (customer_id);
CREATE UNIQUE INDEX alert_once ON alert USING btree (shop_id, customer_id, variant_id, occurrence_id);
CREATE INDEX alert_outcome ON alert USING btree (shop_id, kind, status, id);
CREATE INDEX alert_pending ON alert USING btree (shop_id, due_at, customer_id) WHERE (status = 'pending'::text);
CREATE INDEX alert_withheld ON alert USING btree (shop_id, variant_id) WHERE ((kind = 'price_dropped'::text) AND (reason = 'sold_out'::text));

CREATE TABLE alert_consent (
  shop_id bigint NOT NULL,
  customer_id text NOT NULL,
  kind text NOT NULL,
  id bigint NOT NULL DEFAULT nextval('alert_consent_id_seq'::regclass),
  given boolean NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  source text NOT NULL,
  wording text,
  locale text,
  CONSTRAINT alert_consent_pkey PRIMARY KEY (shop_id, customer_id, kind, id),
  CONSTRAINT alert_consent_kind_check CHECK ((kind = ANY (ARRAY['price_dropped'::text, 'back_in_stock'::text, 'low_stock'::text, 'reminder_due'::text]))),
  CONSTRAINT alert_consent_source_check CHECK ((source = ANY (ARRAY['storefront'::text, 'link'::text, 'api'::text])))
);

CREATE TABLE alert_occurrence (
  shop_id bigint NOT NULL,
  id bigint NOT NULL DEFAULT nextval('alert_occurrence_id_seq'::regclass),
  kind text NOT NULL,
  status text NOT NULL DEFAULT 'open'::text,
  product_id text,
  variant_id text,
  day date,
  change_id bigint,
  at timestamp(3) with time zone NOT NULL,
  due_at timestamp(3) with time zone NOT NULL,
  price numeric,
  old_price numeric,
  last_wishlist_id bigint NOT NULL DEFAULT 0,
  last_product_id text NOT NULL DEFAULT ''::text,
  last_variant_id text NOT NULL DEFAULT ''::text,
  alerts integer NOT NULL DEFAULT 0,
  finished_at timestamp(3) with time zone,
  last_request_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'::uuid,
  CONSTRAINT alert_occurrence_pkey PRIMARY KEY (shop_id, id),
  CONSTRAINT alert_occurrence_kind_check CHECK ((kind = ANY (ARRAY['price_dropped'::text, 'back_in_stock'::text, 'low_stock'::text, 'reminder_due'::text]))),
  CONSTRAINT alert_occurrence_status_check CHECK ((status = ANY (ARRAY['open'::text, 'done'::text, 'cancelled'::text])))
);
CREATE UNIQUE INDEX alert_occurrence_change ON alert_occurrence USING btree (shop_id, change_id, kind) WHERE (change_id IS NOT NULL);
CREATE UNIQUE INDEX alert_occurrence_day ON alert_occurrence USING btree (shop_id, day, kind) WHERE (day IS NOT NULL);
CREATE INDEX alert_occurrence_moment ON alert_occurrence USING btree (shop_id, at, kind, COALESCE(product_id, ''::text), id) WHERE (alerts > 0);
CREATE INDEX alert_occurrence_open ON alert_occurrence USING btree (shop_id, due_at, id) WHERE (status = 'open'::text);

CREATE TABLE alert_request (
  shop_id bigint NOT NULL,
  id uuid NOT NULL,
  customer_id text NOT NULL,
  kind text NOT NULL,
  product_id text NOT NULL,
  variant_id text NOT NULL,
  reference_price numeric,
  target_price numeric,
  locale text,
  needs_item boolean NOT NULL DEFAULT false,
  created_at timestamp(3) with time zone NOT NULL,
  confirmed_at timestamp(3) with time zone,
  alerted_at timestamp(3) with time zone,
  CONSTRAINT alert_request_pkey PRIMARY KEY (shop_id, id)
);
CREATE INDEX alert_request_created ON alert_request USING btree (shop_id, created_at);
CREATE INDEX alert_request_customer ON alert_request USING btree (shop_id, customer_id, created_at);
CREATE UNIQUE INDEX alert_request_once ON alert_request USING btree (shop_id, customer_id, variant_id, kind) WHERE ((confirmed_at IS NOT NULL) AND (alerted_at IS NULL));
CREATE INDEX alert_request_open ON alert_request USING btree (shop_id, variant_id, kind, id) WHERE ((confirmed_at IS NOT NULL) AND (alerted_at IS NULL));

CREATE TABLE alert_settings (
  shop_id bigint NOT NULL,
  kinds text[] NOT NULL DEFAULT ARRAY[]::text[],
  mode text NOT NULL DEFAULT 'consent'::text,
  price_drop_percent integer NOT NULL DEFAULT 5,
  low_stock_quantity integer NOT NULL DEFAULT 5,
  reminder_days integer NOT NULL DEFAULT 14,
  cool_down_hours integer NOT NULL DEFAULT 24,
  quiet_from integer,
  quiet_until integer,
  digest_at integer,
  version integer NOT NULL DEFAULT 0,
  paused_until timestamp(3) with time zone,
  due_at timestamp(3) with time zone,
  price_drops_at_once boolean NOT NULL DEFAULT false,
  CONSTRAINT alert_settings_pkey PRIMARY KEY (shop_id),
  CONSTRAINT alert_settings_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT alert_settings_check CHECK ((((quiet_from IS NULL) = (quiet_until IS NULL)) AND (quiet_from <> quiet_until))),
  CONSTRAINT alert_settings_cool_down_hours_check CHECK (((cool_down_hours >= 1) AND (cool_down_hours <= 720))),
  CONSTRAINT alert_settings_digest_at_check CHECK (((digest_at >= 0) AND (digest_at <= 23))),
  CONSTRAINT alert_settings_kinds_check CHECK ((kinds <@ ARRAY['price_dropped'::text, 'back_in_stock'::text, 'low_stock'::text, 'reminder_due'::text])),
  CONSTRAINT alert_settings_low_stock_quantity_check CHECK (((low_stock_quantity >= 1) AND (low_stock_quantity <= 1000))),
  CONSTRAINT alert_settings_mode_check CHECK ((mode = ANY (ARRAY['consent'::text, 'merchant_managed'::text]))),
  CONSTRAINT alert_settings_price_drop_percent_check CHECK (((price_drop_percent >= 1) AND (price_drop_percent <= 90))),
  CONSTRAINT alert_settings_quiet_from_check CHECK (((quiet_from >= 0) AND (quiet_from <= 23))),
  CONSTRAINT alert_settings_quiet_until_check CHECK (((quiet_until >= 0) AND (quiet_until <= 23))),
  CONSTRAINT alert_settings_reminder_days_check CHECK (((reminder_days >= 1) AND (reminder_days <= 365)))
);
CREATE INDEX alert_settings_due ON alert_settings USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE TABLE api_key (
  shop_id bigint NOT NULL,
  key_id text NOT NULL,
  name text NOT NULL,
  kind text NOT NULL DEFAULT 'admin'::text,
  scopes text[] NOT NULL,
  secret_hash bytea NOT NULL,
  secret_hint text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  last_used_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  successor_key_id text,
  changed_at timestamp(6) with time zone NOT NULL DEFAULT now(),
  allowed_origins text[] DEFAULT ARRAY[]::text[],
  CONSTRAINT api_key_pkey PRIMARY KEY (shop_id, key_id),
  CONSTRAINT api_key_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT api_key_kind_check CHECK ((kind = ANY (ARRAY['admin'::text, 'storefront_server'::text, 'publishable'::text])))
);
CREATE INDEX api_key_changed_at ON api_key USING btree (changed_at);
CREATE UNIQUE INDEX api_key_key_id_key ON api_key USING btree (key_id);
CREATE TRIGGER api_key_notify_changed AFTER DELETE OR UPDATE OF scopes, allowed_origins, expires_at, revoked_at, successor_key_id ON api_key FOR EACH ROW EXECUTE FUNCTION notify_key_changed();
CREATE TRIGGER api_key_set_changed_at BEFORE UPDATE OF scopes, allowed_origins, expires_at, revoked_at, successor_key_id ON api_key FOR EACH ROW EXECUTE FUNCTION set_changed_at();

CREATE TABLE audit (
  shop_id bigint NOT NULL,
  id uuid NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  area text NOT NULL,
  action text NOT NULL,
  subject text,
  customer_id text,
  details jsonb NOT NULL DEFAULT '{}'::jsonb,
  staff_id text,
  staff_name text,
  staff_email text,
  operator text,
  CONSTRAINT audit_pkey PRIMARY KEY (shop_id, id),
  CONSTRAINT audit_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON UPDATE CASCADE ON DELETE CASCADE
) WITH (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_threshold=1000);
CREATE INDEX audit_area ON audit USING btree (shop_id, area, id);
CREATE INDEX audit_customer ON audit USING btree (shop_id, customer_id, id);
CREATE INDEX audit_staff ON audit USING btree (shop_id, staff_id, id);

CREATE TABLE billing (
  shop_id bigint NOT NULL,
  requested_at timestamp(3) with time zone NOT NULL,
  development boolean NOT NULL,
  trial_started_at timestamp(3) with time zone,
  plan text,
  status text,
  test boolean NOT NULL DEFAULT false,
  trial_ends_at timestamp(3) with time zone,
  period_ends_at timestamp(3) with time zone,
  CONSTRAINT billing_pkey PRIMARY KEY (shop_id),
  CONSTRAINT billing_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT billing_check CHECK (((plan IS NULL) = (status IS NULL))),
  CONSTRAINT billing_plan_check CHECK ((plan = ANY (ARRAY['starter'::text, 'growth'::text]))),
  CONSTRAINT billing_status_check CHECK ((status = ANY (ARRAY['active'::text, 'frozen'::text])))
);

CREATE TABLE cart_event (
  shop_id bigint NOT NULL,
  wishlist_id bigint NOT NULL,
  event_id text NOT NULL,
  product_id text NOT NULL,
  variant_id text NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  CONSTRAINT cart_event_pkey PRIMARY KEY (shop_id, wishlist_id, event_id, product_id, variant_id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=5000);
CREATE INDEX cart_event_at ON cart_event USING btree (shop_id, at);

CREATE TABLE catalog_sync (
  shop_id bigint NOT NULL,
  started_at timestamp(3) with time zone NOT NULL,
  cursor text,
  seen integer NOT NULL DEFAULT 0,
  finished_at timestamp(3) with time zone,
  failed_reason text,
  total integer,
  CONSTRAINT catalog_sync_pkey PRIMARY KEY (shop_id),
  CONSTRAINT catalog_sync_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE catalog_version (
  shop_id bigint NOT NULL,
  version bigint NOT NULL,
  CONSTRAINT catalog_version_pkey PRIMARY KEY (shop_id),
  CONSTRAINT catalog_version_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE contact (
  shop_id bigint NOT NULL,
  id text NOT NULL,
  address_hash text NOT NULL,
  address_sealed text NOT NULL,
  requested_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT contact_pkey PRIMARY KEY (shop_id, id)
);
CREATE UNIQUE INDEX contact_address ON contact USING btree (shop_id, address_hash);

CREATE TABLE customer_tagging (
  shop_id bigint NOT NULL,
  id uuid NOT NULL,
  tag text NOT NULL,
  customer_ids text[] NOT NULL,
  total integer NOT NULL,
  tagged integer NOT NULL DEFAULT 0,
  refused integer NOT NULL DEFAULT 0,
  problem text,
  status text NOT NULL,
  CONSTRAINT customer_tagging_pkey PRIMARY KEY (shop_id, id),
  CONSTRAINT customer_tagging_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON DELETE CASCADE
);

CREATE TABLE daily_stats (
  shop_id bigint NOT NULL,
  day date NOT NULL,
  items_added integer NOT NULL DEFAULT 0,
  items_removed integer NOT NULL DEFAULT 0,
  carted integer NOT NULL DEFAULT 0,
  cohort_carted integer NOT NULL DEFAULT 0,
  unique_shoppers integer NOT NULL DEFAULT 0,
  last_seen integer NOT NULL DEFAULT 0,
  CONSTRAINT daily_stats_pkey PRIMARY KEY (shop_id, day)
) WITH (fillfactor=70);

CREATE TABLE email_message (
  shop_id bigint NOT NULL,
  customer_id text NOT NULL,
  alerted_at timestamp(3) with time zone NOT NULL,
  batch_id uuid,
  delivery_ids uuid[],
  CONSTRAINT email_message_pkey PRIMARY KEY (shop_id, customer_id, alerted_at)
);
CREATE INDEX email_message_batch ON email_message USING btree (shop_id, batch_id);
CREATE INDEX email_message_purged ON email_message USING btree (shop_id, alerted_at);

CREATE TABLE email_settings (
  shop_id bigint NOT NULL,
  kinds text[] NOT NULL DEFAULT ARRAY[]::text[],
  sender_name text NOT NULL,
  reply_to text NOT NULL,
  postal_address text NOT NULL,
  accent text NOT NULL,
  logo_url text,
  weekly_limit integer NOT NULL,
  texts jsonb NOT NULL DEFAULT '{}'::jsonb,
  version integer NOT NULL DEFAULT 0,
  CONSTRAINT email_settings_pkey PRIMARY KEY (shop_id),
  CONSTRAINT email_settings_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON DELETE CASCADE
);

CREATE TABLE email_suppression (
  shop_id bigint NOT NULL,
  customer_id text NOT NULL,
  address_sealed text NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  error text NOT NULL,
  CONSTRAINT email_suppression_pkey PRIMARY KEY (shop_id, customer_id)
);
CREATE INDEX email_suppression_purged ON email_suppression USING btree (shop_id, at);

CREATE TABLE export_link (
  shop_id bigint NOT NULL,
  token_hash bytea NOT NULL,
  format text NOT NULL,
  guests boolean NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  selection jsonb,
  CONSTRAINT export_link_pkey PRIMARY KEY (shop_id, token_hash),
  CONSTRAINT export_link_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT export_link_format_check CHECK ((format = ANY (ARRAY['csv'::text, 'ndjson'::text])))
);

CREATE TABLE flow_trigger (
  shop_id bigint NOT NULL,
  handle text NOT NULL,
  enabled boolean NOT NULL,
  changed_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT flow_trigger_pkey PRIMARY KEY (shop_id, handle),
  CONSTRAINT flow_trigger_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE guest_hour (
  shop_id bigint NOT NULL,
  hour timestamp(3) with time zone NOT NULL,
  guests integer NOT NULL,
  CONSTRAINT guest_hour_pkey PRIMARY KEY (shop_id),
  CONSTRAINT guest_hour_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE guest_origin_hour (
  shop_id bigint NOT NULL,
  origin text NOT NULL,
  hour timestamp(3) with time zone NOT NULL,
  guests integer NOT NULL,
  CONSTRAINT guest_origin_hour_pkey PRIMARY KEY (shop_id, origin),
  CONSTRAINT guest_origin_hour_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX guest_origin_hour_hour ON guest_origin_hour USING btree (shop_id, hour);

CREATE TABLE idempotent_response (
  shop_id bigint NOT NULL,
  key_id text NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  response_sealed text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  owner_kind text,
  owner_id text,
  CONSTRAINT idempotent_response_pkey PRIMARY KEY (shop_id, key_id, key),
  CONSTRAINT idempotent_response_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX idempotent_response_created ON idempotent_response USING btree (shop_id, created_at);
CREATE INDEX idempotent_response_owner ON idempotent_response USING btree (shop_id, owner_kind, owner_id);

CREATE TABLE import_added (
  shop_id bigint NOT NULL,
  import_id text NOT NULL,
  wishlist_id bigint NOT NULL,
  seq bigint NOT NULL,
  product_id text NOT NULL,
  variant_id text NOT NULL,
  added_at timestamp(3) with time zone NOT NULL,
  list_created boolean NOT NULL DEFAULT false,
  CONSTRAINT import_added_pkey PRIMARY KEY (shop_id, import_id, wishlist_id, seq),
  CONSTRAINT import_added_shop_id_import_id_fkey FOREIGN KEY (shop_id, import_id) REFERENCES wishlist_import(shop_id, id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE import_entry (
  shop_id bigint NOT NULL,
  import_id text NOT NULL,
  owner_kind text NOT NULL,
  owner_id text NOT NULL,
  list_key text NOT NULL DEFAULT ''::text,
  product_id text NOT NULL,
  variant_id text NOT NULL,
  added_at timestamp(3) with time zone NOT NULL,
  line integer NOT NULL,
  list_id text,
  list_name text,
  name_key text,
  quantity integer,
  note text,
  properties jsonb,
  position double precision,
  saved_price numeric,
  CONSTRAINT import_entry_pkey PRIMARY KEY (shop_id, import_id, owner_kind, owner_id, list_key, product_id, variant_id),
  CONSTRAINT import_entry_shop_id_import_id_fkey FOREIGN KEY (shop_id, import_id) REFERENCES wishlist_import(shop_id, id) ON DELETE CASCADE
);

CREATE TABLE import_part (
  shop_id bigint NOT NULL,
  import_id text NOT NULL,
  at_byte bigint NOT NULL,
  bytes bytea NOT NULL,
  CONSTRAINT import_part_pkey PRIMARY KEY (shop_id, import_id, at_byte),
  CONSTRAINT import_part_shop_id_import_id_fkey FOREIGN KEY (shop_id, import_id) REFERENCES wishlist_import(shop_id, id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE import_problem (
  shop_id bigint NOT NULL,
  import_id text NOT NULL,
  line integer NOT NULL,
  field text NOT NULL,
  problem text NOT NULL,
  CONSTRAINT import_problem_pkey PRIMARY KEY (shop_id, import_id, line, field),
  CONSTRAINT import_problem_shop_id_import_id_fkey FOREIGN KEY (shop_id, import_id) REFERENCES wishlist_import(shop_id, id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE marketing_connection (
  shop_id bigint NOT NULL,
  tool text NOT NULL,
  key_sealed text NOT NULL,
  account_id text NOT NULL,
  account_name text NOT NULL,
  connected_at timestamp(3) with time zone NOT NULL,
  refused_at timestamp(3) with time zone,
  refusal text,
  CONSTRAINT marketing_connection_pkey PRIMARY KEY (shop_id, tool),
  CONSTRAINT marketing_connection_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE merged_guest (
  shop_id bigint NOT NULL,
  guest_id text NOT NULL,
  customer_id text NOT NULL,
  merged_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT merged_guest_pkey PRIMARY KEY (shop_id, guest_id),
  CONSTRAINT merged_guest_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX merged_guest_at ON merged_guest USING btree (shop_id, merged_at);
CREATE INDEX merged_guest_customer ON merged_guest USING btree (shop_id, customer_id);

CREATE TABLE order_line (
  shop_id bigint NOT NULL,
  order_id text NOT NULL,
  line_id text NOT NULL,
  customer_id text NOT NULL,
  product_id text NOT NULL,
  variant_id text NOT NULL,
  list_id text,
  saved_at timestamp(3) with time zone NOT NULL,
  ordered_at timestamp(3) with time zone NOT NULL,
  units integer NOT NULL,
  revenue numeric NOT NULL,
  requested boolean NOT NULL DEFAULT false,
  CONSTRAINT order_line_pkey PRIMARY KEY (shop_id, order_id, line_id)
);
CREATE INDEX order_line_customer ON order_line USING btree (shop_id, customer_id, variant_id, ordered_at);

CREATE TABLE period_stats (
  shop_id bigint NOT NULL,
  day date NOT NULL,
  days integer NOT NULL,
  active_shoppers integer NOT NULL,
  CONSTRAINT period_stats_pkey PRIMARY KEY (shop_id, day, days)
);

CREATE TABLE privacy_request (
  shop_id bigint NOT NULL,
  id text NOT NULL,
  kind text NOT NULL,
  shopify_request_id text,
  webhook_id text NOT NULL,
  status text NOT NULL,
  requested_at timestamp(3) with time zone NOT NULL,
  due_at timestamp(3) with time zone NOT NULL,
  completed_at timestamp(3) with time zone,
  subject_sealed text,
  record_sealed text,
  CONSTRAINT privacy_request_pkey PRIMARY KEY (shop_id, id),
  CONSTRAINT privacy_request_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT privacy_request_check CHECK (((status = 'completed'::text) = (completed_at IS NOT NULL))),
  CONSTRAINT privacy_request_kind_check CHECK ((kind = ANY (ARRAY['data_request'::text, 'redact'::text]))),
  CONSTRAINT privacy_request_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'completed'::text])))
);
CREATE INDEX privacy_request_newest ON privacy_request USING btree (shop_id, requested_at DESC, id DESC);
CREATE UNIQUE INDEX privacy_request_webhook ON privacy_request USING btree (shop_id, webhook_id);

CREATE TABLE product (
  shop_id bigint NOT NULL,
  product_id text NOT NULL,
  handle text NOT NULL,
  title text NOT NULL,
  image_url text,
  default_variant_id text NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  deleted_at timestamp(3) with time zone,
  seen_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  status text NOT NULL,
  published_at timestamp(3) with time zone,
  ever_published boolean NOT NULL DEFAULT false,
  CONSTRAINT product_pkey PRIMARY KEY (shop_id, product_id),
  CONSTRAINT product_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX product_handle ON product USING btree (shop_id, handle);

CREATE TABLE product_daily (
  shop_id bigint NOT NULL,
  product_id text NOT NULL,
  day date NOT NULL,
  items_added integer NOT NULL DEFAULT 0,
  items_removed integer NOT NULL DEFAULT 0,
  carted integer NOT NULL DEFAULT 0,
  CONSTRAINT product_daily_pkey PRIMARY KEY (shop_id, product_id, day)
) WITH (fillfactor=80);
CREATE INDEX product_daily_day ON product_daily USING btree (shop_id, day);

CREATE TABLE product_revenue (
  shop_id bigint NOT NULL,
  product_id text NOT NULL,
  day date NOT NULL,
  currency text NOT NULL,
  orders integer NOT NULL DEFAULT 0,
  units integer NOT NULL DEFAULT 0,
  revenue numeric NOT NULL DEFAULT 0,
  CONSTRAINT product_revenue_pkey PRIMARY KEY (shop_id, product_id, day, currency)
);
CREATE INDEX product_revenue_day ON product_revenue USING btree (shop_id, day);

CREATE TABLE product_stats (
  shop_id bigint NOT NULL,
  product_id text NOT NULL,
  wishlist_count integer NOT NULL DEFAULT 0,
  CONSTRAINT product_stats_pkey PRIMARY KEY (shop_id, product_id)
) WITH (fillfactor=80);
CREATE INDEX product_stats_top ON product_stats USING btree (shop_id, wishlist_count DESC, product_id);

CREATE TABLE revenue_daily (
  shop_id bigint NOT NULL,
  day date NOT NULL,
  currency text NOT NULL,
  orders integer NOT NULL DEFAULT 0,
  saved_orders integer NOT NULL DEFAULT 0,
  units integer NOT NULL DEFAULT 0,
  revenue numeric NOT NULL DEFAULT 0,
  CONSTRAINT revenue_daily_pkey PRIMARY KEY (shop_id, day, currency)
);

CREATE TABLE revenue_hourly (
  shop_id bigint NOT NULL,
  day date NOT NULL,
  hour smallint NOT NULL,
  currency text NOT NULL,
  orders integer NOT NULL DEFAULT 0,
  saved_orders integer NOT NULL DEFAULT 0,
  units integer NOT NULL DEFAULT 0,
  revenue numeric NOT NULL DEFAULT 0,
  CONSTRAINT revenue_hourly_pkey PRIMARY KEY (shop_id, day, hour, currency)
);

CREATE TABLE sealing_key (
  key_id text NOT NULL,
  since timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT sealing_key_pkey PRIMARY KEY (key_id)
);

CREATE TABLE session (
  id text NOT NULL,
  shop text NOT NULL,
  state text NOT NULL,
  is_online boolean NOT NULL DEFAULT false,
  scope text,
  expires timestamp(3) with time zone,
  access_token text NOT NULL,
  user_id bigint,
  first_name text,
  last_name text,
  email text,
  account_owner boolean NOT NULL DEFAULT false,
  locale text,
  collaborator boolean DEFAULT false,
  email_verified boolean DEFAULT false,
  refresh_token text,
  refresh_token_expires timestamp(3) with time zone,
  refresh_lease_until timestamp(3) with time zone,
  refresh_failed_since timestamp(3) with time zone,
  refresh_error text,
  CONSTRAINT session_pkey PRIMARY KEY (id)
);
CREATE INDEX session_shop ON session USING btree (shop);

CREATE TABLE set_aside (
  shop_id bigint NOT NULL,
  kind text NOT NULL,
  subject_id text NOT NULL,
  reason text NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  failures integer NOT NULL DEFAULT 1,
  retry_at timestamp(3) with time zone,
  CONSTRAINT set_aside_pkey PRIMARY KEY (shop_id, kind, subject_id)
);
CREATE INDEX set_aside_retry ON set_aside USING btree (retry_at);

CREATE TABLE share_daily (
  shop_id bigint NOT NULL,
  day date NOT NULL,
  views integer NOT NULL DEFAULT 0,
  CONSTRAINT share_daily_pkey PRIMARY KEY (shop_id, day)
) WITH (fillfactor=70);

CREATE TABLE share_link (
  shop_id bigint NOT NULL,
  id bigint NOT NULL DEFAULT nextval('share_link_id_seq'::regclass),
  wishlist_id bigint NOT NULL,
  token_hash bytea NOT NULL,
  token_sealed text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  revoked_at timestamp(3) with time zone,
  views integer NOT NULL DEFAULT 0,
  shared_by text,
  CONSTRAINT share_link_pkey PRIMARY KEY (shop_id, id),
  CONSTRAINT share_link_shop_id_wishlist_id_fkey FOREIGN KEY (shop_id, wishlist_id) REFERENCES wishlist(shop_id, id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX share_link_expires ON share_link USING btree (shop_id, expires_at, revoked_at);
CREATE UNIQUE INDEX share_link_open ON share_link USING btree (shop_id, wishlist_id) WHERE (revoked_at IS NULL);
CREATE UNIQUE INDEX share_link_token ON share_link USING btree (shop_id, token_hash);
CREATE INDEX share_link_wishlist ON share_link USING btree (shop_id, wishlist_id, id);

CREATE TABLE shop (
  id bigint NOT NULL DEFAULT nextval('shop_id_seq'::regclass),
  domain text NOT NULL,
  time_zone text NOT NULL DEFAULT 'UTC'::text,
  plan text NOT NULL DEFAULT 'free'::text,
  catalog text NOT NULL DEFAULT 'none'::text,
  share_link_days integer NOT NULL DEFAULT 30,
  item_cap integer NOT NULL DEFAULT 2500,
  installed_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  uninstalled_at timestamp(3) with time zone,
  authorized_at timestamp(3) with time zone,
  setup_dismissed_at timestamp(3) with time zone,
  guest_lists boolean NOT NULL DEFAULT true,
  guest_retention_days integer NOT NULL DEFAULT 90,
  time_zone_chosen boolean NOT NULL DEFAULT false,
  currency text,
  store_id text,
  settings_version integer NOT NULL DEFAULT 0,
  changed_at timestamp(6) with time zone NOT NULL DEFAULT now(),
  named_lists boolean NOT NULL DEFAULT true,
  currency_changed_at timestamp(3) with time zone,
  store_path text NOT NULL DEFAULT '/apps/wishlist'::text,
  money_format text,
  customer_names boolean NOT NULL DEFAULT true,
  menu_linked_at timestamp(3) with time zone,
  orders_reported_since timestamp(3) with time zone,
  CONSTRAINT shop_pkey PRIMARY KEY (id),
  CONSTRAINT shop_catalog_check CHECK ((catalog = ANY (ARRAY['none'::text, 'syncing'::text, 'ready'::text]))),
  CONSTRAINT shop_guest_retention_days_check CHECK (((guest_retention_days >= 1) AND (guest_retention_days <= 365))),
  CONSTRAINT shop_item_cap_check CHECK (((item_cap >= 1) AND (item_cap <= 2500))),
  CONSTRAINT shop_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'starter'::text, 'growth'::text]))),
  CONSTRAINT shop_share_link_days_check CHECK (((share_link_days >= 1) AND (share_link_days <= 365)))
);
CREATE INDEX shop_changed_at ON shop USING btree (changed_at);
CREATE UNIQUE INDEX shop_domain_key ON shop USING btree (domain);
CREATE TRIGGER shop_notify_changed AFTER DELETE OR UPDATE ON shop FOR EACH ROW EXECUTE FUNCTION notify_shop_changed();
CREATE TRIGGER shop_set_changed_at BEFORE UPDATE ON shop FOR EACH ROW EXECUTE FUNCTION set_changed_at();

CREATE TABLE shop_change (
  shop_id bigint NOT NULL,
  last_number bigint NOT NULL DEFAULT 0,
  purged_to bigint NOT NULL DEFAULT 0,
  CONSTRAINT shop_change_pkey PRIMARY KEY (shop_id),
  CONSTRAINT shop_change_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE shop_maintenance (
  shop_id bigint NOT NULL,
  job text NOT NULL,
  due_at timestamp(3) with time zone NOT NULL,
  finished_at timestamp(3) with time zone,
  failures integer NOT NULL DEFAULT 0,
  lease_holder uuid,
  lease_until timestamp(3) with time zone,
  CONSTRAINT shop_maintenance_pkey PRIMARY KEY (shop_id, job),
  CONSTRAINT shop_maintenance_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX shop_maintenance_due ON shop_maintenance USING btree (job, due_at);

CREATE TABLE shopper (
  shop_id bigint NOT NULL,
  id bigint NOT NULL DEFAULT nextval('shopper_id_seq'::regclass),
  owner_kind text NOT NULL,
  owner_id text NOT NULL,
  alias_of bigint,
  last_active_on date,
  first_saved_on date,
  bought_order_id text,
  CONSTRAINT shopper_pkey PRIMARY KEY (shop_id, id)
) WITH (fillfactor=80);
CREATE UNIQUE INDEX shopper_owner ON shopper USING btree (shop_id, owner_kind, owner_id);

CREATE TABLE shopper_count (
  shop_id bigint NOT NULL,
  kind text NOT NULL,
  day date NOT NULL,
  other_day date NOT NULL,
  shoppers integer NOT NULL,
  CONSTRAINT shopper_count_pkey PRIMARY KEY (shop_id, kind, day, other_day)
) WITH (fillfactor=70);

CREATE TABLE shopper_day (
  shop_id bigint NOT NULL,
  shopper_id bigint NOT NULL,
  day date NOT NULL,
  CONSTRAINT shopper_day_pkey PRIMARY KEY (shop_id, shopper_id, day)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=5000);
CREATE INDEX shopper_day_day ON shopper_day USING btree (shop_id, day);

CREATE TABLE store_order (
  shop_id bigint NOT NULL,
  order_id text NOT NULL,
  customer_id text,
  reported_at timestamp(3) with time zone NOT NULL,
  reports integer NOT NULL DEFAULT 1,
  read_at timestamp(3) with time zone,
  updated_at timestamp(3) with time zone,
  ordered_at timestamp(3) with time zone,
  day date,
  currency text,
  counted boolean NOT NULL DEFAULT false,
  closed boolean NOT NULL DEFAULT false,
  CONSTRAINT store_order_pkey PRIMARY KEY (shop_id, order_id)
);
CREATE INDEX store_order_age ON store_order USING btree (shop_id, reported_at);
CREATE INDEX store_order_customer ON store_order USING btree (shop_id, customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX store_order_unread ON store_order USING btree (shop_id, reported_at, order_id) WHERE (read_at IS NULL);

CREATE TABLE variant (
  shop_id bigint NOT NULL,
  variant_id text NOT NULL,
  product_id text NOT NULL,
  title text NOT NULL,
  price numeric NOT NULL,
  available boolean NOT NULL,
  position integer NOT NULL,
  deleted_at timestamp(3) with time zone,
  compare_at_price numeric,
  inventory integer,
  inventory_item_id text,
  low_stock_armed boolean NOT NULL DEFAULT true,
  CONSTRAINT variant_pkey PRIMARY KEY (shop_id, variant_id),
  CONSTRAINT variant_shop_id_product_id_fkey FOREIGN KEY (shop_id, product_id) REFERENCES product(shop_id, product_id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX variant_inventory_item ON variant USING btree (shop_id, inventory_item_id) WHERE (inventory_item_id IS NOT NULL);
CREATE INDEX variant_product ON variant USING btree (shop_id, product_id);
CREATE INDEX variant_unavailable ON variant USING btree (shop_id, product_id) WHERE ((NOT available) AND (deleted_at IS NULL));

CREATE TABLE variant_change (
  shop_id bigint NOT NULL,
  id bigint NOT NULL DEFAULT nextval('variant_change_id_seq'::regclass),
  product_id text NOT NULL,
  variant_id text NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  old_price numeric,
  price numeric NOT NULL,
  old_compare_at_price numeric,
  compare_at_price numeric,
  old_available boolean NOT NULL,
  available boolean NOT NULL,
  old_inventory integer,
  inventory integer,
  processed_at timestamp(3) with time zone,
  CONSTRAINT variant_change_pkey PRIMARY KEY (shop_id, id)
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=100000, vacuum_index_cleanup=on);
CREATE INDEX variant_change_availability ON variant_change USING btree (shop_id, variant_id, id) WHERE (available <> old_available);
CREATE INDEX variant_change_unprocessed ON variant_change USING btree (shop_id, id) WHERE (processed_at IS NULL);

CREATE TABLE variant_stats (
  shop_id bigint NOT NULL,
  product_id text NOT NULL,
  variant_id text NOT NULL,
  wishlist_count integer NOT NULL DEFAULT 0,
  CONSTRAINT variant_stats_pkey PRIMARY KEY (shop_id, product_id, variant_id)
) WITH (fillfactor=80);

CREATE TABLE webhook_attempt (
  shop_id bigint NOT NULL,
  delivery_id uuid NOT NULL,
  number integer NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  duration_ms integer NOT NULL,
  status integer,
  error text,
  response text,
  endpoint_id text,
  url text,
  batch_id uuid,
  CONSTRAINT webhook_attempt_pkey PRIMARY KEY (shop_id, delivery_id, number)
) WITH (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_threshold=5000);
CREATE INDEX webhook_attempt_emailed ON webhook_attempt USING btree (shop_id, batch_id) WHERE (endpoint_id = 'email'::text);
CREATE INDEX webhook_attempt_recent ON webhook_attempt USING btree (shop_id, endpoint_id, at);

CREATE TABLE webhook_delivery (
  shop_id bigint NOT NULL,
  id uuid NOT NULL,
  endpoint_id text NOT NULL,
  event_id uuid NOT NULL,
  event text NOT NULL,
  kind text NOT NULL,
  priority smallint NOT NULL,
  status text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL,
  redelivered_at timestamp(3) with time zone,
  CONSTRAINT webhook_delivery_pkey PRIMARY KEY (shop_id, id),
  CONSTRAINT webhook_delivery_check CHECK (((status = 'pending'::text) = (next_attempt_at IS NOT NULL))),
  CONSTRAINT webhook_delivery_kind_check CHECK ((kind = ANY (ARRAY['event'::text, 'test'::text, 'redelivery'::text]))),
  CONSTRAINT webhook_delivery_priority_check CHECK (((priority >= 1) AND (priority <= 4))),
  CONSTRAINT webhook_delivery_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text])))
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=100000, fillfactor=80, vacuum_index_cleanup=on);
CREATE INDEX webhook_delivery_channel ON webhook_delivery USING btree (shop_id, event_id) WHERE (endpoint_id = ANY (ARRAY['flow'::text, 'email'::text, 'klaviyo'::text]));
CREATE INDEX webhook_delivery_found ON webhook_delivery USING btree (shop_id, endpoint_id, status, event, kind, id);
CREATE INDEX webhook_delivery_pending ON webhook_delivery USING btree (shop_id, endpoint_id, priority, next_attempt_at, id) WHERE (status = 'pending'::text);
CREATE INDEX webhook_delivery_undelivered ON webhook_delivery USING btree (shop_id, endpoint_id, id) WHERE ((status = 'failed'::text) AND (kind <> 'test'::text) AND (redelivered_at IS NULL));

CREATE TABLE webhook_endpoint (
  shop_id bigint NOT NULL,
  id text NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  secret_sealed text NOT NULL,
  old_secret_sealed text,
  old_secret_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL,
  disabled_at timestamp(3) with time zone,
  disabled_reason text,
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamp(3) with time zone,
  backoff_until timestamp(3) with time zone,
  due_at timestamp(3) with time zone,
  lease_holder uuid,
  lease_until timestamp(3) with time zone,
  batch boolean NOT NULL DEFAULT false,
  name text,
  CONSTRAINT webhook_endpoint_pkey PRIMARY KEY (shop_id, id),
  CONSTRAINT webhook_endpoint_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT webhook_endpoint_check CHECK (((disabled_at IS NULL) = (disabled_reason IS NULL))),
  CONSTRAINT webhook_endpoint_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['paused'::text, 'gone'::text, 'failing'::text])))
) WITH (fillfactor=50);
CREATE INDEX webhook_endpoint_due ON webhook_endpoint USING btree (due_at) WHERE ((due_at IS NOT NULL) AND (disabled_at IS NULL));

CREATE TABLE webhook_event (
  shop_id bigint NOT NULL,
  id uuid NOT NULL,
  event text NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  customer_id text,
  product_id text,
  variant_id text,
  share_link_id bigint,
  item_count integer,
  data json,
  trace text,
  list_id text,
  CONSTRAINT webhook_event_pkey PRIMARY KEY (shop_id, id)
) WITH (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_threshold=5000);

CREATE TABLE wishlist (
  shop_id bigint NOT NULL,
  id bigint NOT NULL DEFAULT nextval('wishlist_id_seq'::regclass),
  owner_kind text NOT NULL,
  owner_id text NOT NULL,
  handle text NOT NULL DEFAULT 'default'::text,
  item_count integer NOT NULL DEFAULT 0,
  version bigint NOT NULL DEFAULT 0,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  name text,
  name_key text,
  position double precision NOT NULL DEFAULT 0,
  has_details boolean NOT NULL DEFAULT false,
  deleted_at timestamp(3) with time zone,
  CONSTRAINT wishlist_pkey PRIMARY KEY (shop_id, id),
  CONSTRAINT wishlist_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT wishlist_item_count_check CHECK ((item_count >= 0)),
  CONSTRAINT wishlist_owner_kind_check CHECK ((owner_kind = ANY (ARRAY['customer'::text, 'guest'::text])))
);
CREATE INDEX wishlist_deleted ON wishlist USING btree (shop_id, deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE UNIQUE INDEX wishlist_name ON wishlist USING btree (shop_id, owner_kind, owner_id, name_key) WHERE ((name_key IS NOT NULL) AND (deleted_at IS NULL));
CREATE UNIQUE INDEX wishlist_owner ON wishlist USING btree (shop_id, owner_kind, owner_id, handle);

CREATE TABLE wishlist_import (
  shop_id bigint NOT NULL,
  id text NOT NULL,
  status text NOT NULL,
  format text NOT NULL,
  file_name text NOT NULL,
  size bigint NOT NULL,
  received bigint NOT NULL DEFAULT 0,
  read_bytes bigint NOT NULL DEFAULT 0,
  next_line integer NOT NULL DEFAULT 1,
  header text,
  rows_read integer NOT NULL DEFAULT 0,
  rows_invalid integer NOT NULL DEFAULT 0,
  items integer NOT NULL DEFAULT 0,
  lists integer NOT NULL DEFAULT 0,
  items_new integer NOT NULL DEFAULT 0,
  items_refused integer NOT NULL DEFAULT 0,
  items_unknown integer NOT NULL DEFAULT 0,
  leave_unknown boolean NOT NULL DEFAULT false,
  last_kind text NOT NULL DEFAULT ''::text,
  last_owner text NOT NULL DEFAULT ''::text,
  items_done integer NOT NULL DEFAULT 0,
  items_added integer NOT NULL DEFAULT 0,
  lists_refused integer NOT NULL DEFAULT 0,
  items_undone integer NOT NULL DEFAULT 0,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  finished_at timestamp(3) with time zone,
  failed_reason text,
  lists_new integer NOT NULL DEFAULT 0,
  lists_created integer NOT NULL DEFAULT 0,
  CONSTRAINT wishlist_import_pkey PRIMARY KEY (shop_id, id),
  CONSTRAINT wishlist_import_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT wishlist_import_format_check CHECK ((format = ANY (ARRAY['csv'::text, 'ndjson'::text]))),
  CONSTRAINT wishlist_import_size_check CHECK ((size > 0)),
  CONSTRAINT wishlist_import_status_check CHECK ((status = ANY (ARRAY['uploading'::text, 'reading'::text, 'ready'::text, 'running'::text, 'done'::text, 'cancelled'::text, 'failed'::text, 'undoing'::text, 'undone'::text])))
);
CREATE INDEX wishlist_import_newest ON wishlist_import USING btree (shop_id, created_at DESC);
CREATE UNIQUE INDEX wishlist_import_open ON wishlist_import USING btree (shop_id) WHERE (status = ANY (ARRAY['uploading'::text, 'reading'::text, 'ready'::text, 'running'::text, 'undoing'::text]));

CREATE TABLE wishlist_item (
  shop_id bigint NOT NULL,
  wishlist_id bigint NOT NULL,
  product_id text NOT NULL,
  variant_id text NOT NULL,
  added_at timestamp(3) with time zone NOT NULL,
  seq bigint NOT NULL DEFAULT nextval('wishlist_item_seq_seq'::regclass),
  saved_on date,
  carted_at timestamp(3) with time zone,
  quantity integer,
  note text,
  properties jsonb,
  position double precision,
  saved_price numeric,
  CONSTRAINT wishlist_item_pkey PRIMARY KEY (shop_id, wishlist_id, product_id, variant_id),
  CONSTRAINT wishlist_item_shop_id_wishlist_id_fkey FOREIGN KEY (shop_id, wishlist_id) REFERENCES wishlist(shop_id, id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX wishlist_item_newest ON wishlist_item USING btree (shop_id, wishlist_id, added_at DESC, seq DESC) INCLUDE (product_id, variant_id);
CREATE INDEX wishlist_item_variant ON wishlist_item USING btree (shop_id, product_id, variant_id, wishlist_id);

CREATE TABLE wishlist_summary (
  shop_id bigint NOT NULL,
  wishlist_id bigint NOT NULL,
  flags smallint NOT NULL,
  active_at timestamp(3) with time zone NOT NULL,
  item_count integer NOT NULL,
  value numeric NOT NULL,
  out_of_stock integer NOT NULL,
  price_dropped integer NOT NULL,
  shared_until timestamp(3) with time zone,
  CONSTRAINT wishlist_summary_pkey PRIMARY KEY (shop_id, wishlist_id),
  CONSTRAINT wishlist_summary_shop_id_wishlist_id_fkey FOREIGN KEY (shop_id, wishlist_id) REFERENCES wishlist(shop_id, id) ON DELETE CASCADE
);
CREATE INDEX wishlist_summary_active ON wishlist_summary USING btree (shop_id, flags, active_at, wishlist_id) INCLUDE (value, shared_until);
CREATE INDEX wishlist_summary_items ON wishlist_summary USING btree (shop_id, flags, item_count, wishlist_id) INCLUDE (active_at, value, shared_until);
CREATE INDEX wishlist_summary_stock ON wishlist_summary USING btree (shop_id, flags, out_of_stock, wishlist_id) INCLUDE (active_at, value, shared_until);
CREATE INDEX wishlist_summary_value ON wishlist_summary USING btree (shop_id, flags, value, wishlist_id) INCLUDE (active_at, shared_until);

CREATE TABLE wishlist_summary_state (
  shop_id bigint NOT NULL,
  change_number bigint NOT NULL,
  pass_after bigint,
  begun_at timestamp(3) with time zone NOT NULL,
  catalog_version bigint NOT NULL,
  complete_at timestamp(3) with time zone,
  CONSTRAINT wishlist_summary_state_pkey PRIMARY KEY (shop_id),
  CONSTRAINT wishlist_summary_state_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON DELETE CASCADE
);

CREATE TABLE wishlist_view (
  shop_id bigint NOT NULL,
  id bigint NOT NULL DEFAULT nextval('wishlist_view_id_seq'::regclass),
  name text NOT NULL,
  query text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT wishlist_view_pkey PRIMARY KEY (shop_id, id),
  CONSTRAINT wishlist_view_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON DELETE CASCADE
);

-- FUNCTION advisory_lock_key(p_class text, p_subject text) RETURNS bigint LANGUAGE plpgsql IMMUTABLE
-- FUNCTION alert_consent_record(p_shop_id bigint, p_customer_id text, p_kinds text[], p_given boolean, p_at timestamp with time zone, p_source text, p_wording text DEFAULT NULL::text, p_locale text DEFAULT NULL::text) RETURNS boolean LANGUAGE plpgsql VOLATILE
-- FUNCTION alert_detect(p_shop_id bigint, p_limit integer, p_stable_ms integer, p_plans text[]) RETURNS integer LANGUAGE plpgsql VOLATILE
-- FUNCTION alert_fan_out(p_shop_id bigint, p_limit integer, OUT looked_at integer, OUT created integer) RETURNS record LANGUAGE plpgsql VOLATILE
-- FUNCTION alert_record_outcomes(p_shop_id bigint, p_batch activity[]) RETURNS void LANGUAGE plpgsql VOLATILE
-- FUNCTION alert_release(p_shop_id bigint, p_limit integer, OUT decided integer, OUT sent integer, OUT endpoints text[]) RETURNS record LANGUAGE plpgsql VOLATILE
-- FUNCTION alert_remind(p_shop_id bigint, p_at timestamp with time zone, p_plans text[]) RETURNS void LANGUAGE plpgsql VOLATILE
-- FUNCTION alert_request_came_back(p_shop_id bigint, p_id uuid, p_at timestamp with time zone, p_error text, p_address_sealed text) RETURNS boolean LANGUAGE plpgsql VOLATILE
-- FUNCTION alert_request_confirm(p_shop_id bigint, p_id uuid, p_at timestamp with time zone, p_days integer, OUT state text, OUT is_current boolean, OUT product_id text, OUT variant_id text) RETURNS record LANGUAGE plpgsql VOLATILE
-- FUNCTION alert_request_of_customer(p_shop_id bigint, p_customer_id text, p_kind text, p_product_id text, p_variant_id text, p_target_price numeric, p_locale text, p_at timestamp with time zone, p_open integer) RETURNS boolean LANGUAGE plpgsql VOLATILE
-- FUNCTION alert_request_withdraw(p_shop_id bigint, p_customer_id text, p_kinds text[], p_all boolean) RETURNS void LANGUAGE plpgsql VOLATILE
-- FUNCTION alert_schedule(p_shop_id bigint) RETURNS void LANGUAGE plpgsql VOLATILE
-- FUNCTION amount_decimals(p_currency text) RETURNS integer LANGUAGE sql IMMUTABLE
-- FUNCTION amount_text(p_amount numeric, p_currency text) RETURNS text LANGUAGE sql IMMUTABLE
-- FUNCTION catalog_store(p_shop_id bigint, p_products jsonb, p_seen_at timestamp with time zone) RETURNS boolean LANGUAGE plpgsql VOLATILE
-- FUNCTION contact_ask(p_shop_id bigint, p_hashes text[], p_sealed text, p_kind text, p_product_id text, p_variant_id text, p_target_price numeric, p_locale text, p_at timestamp with time zone, p_per_day integer, p_open integer, p_per_hour integer, OUT request_id uuid, OUT refused boolean) RETURNS record LANGUAGE plpgsql VOLATILE
-- FUNCTION contact_join(p_shop_id bigint, p_hashes text[], p_customer_id text, p_unconfirmed boolean DEFAULT false) RETURNS boolean LANGUAGE plpgsql VOLATILE
-- FUNCTION contact_purge(p_shop_id bigint, p_unconfirmed timestamp with time zone, p_alerted timestamp with time zone, p_created timestamp with time zone, p_limit integer) RETURNS integer LANGUAGE plpgsql VOLATILE
-- FUNCTION customer_erase(p_shop_id bigint, p_customer_id text, p_at timestamp with time zone) RETURNS bigint LANGUAGE plpgsql VOLATILE
-- FUNCTION email_admit(p_shop_id bigint, p_customer_id text, p_kinds text[], p_alerted_at timestamp with time zone, p_limit integer, p_not_suppressed text, p_batch_id uuid DEFAULT NULL::uuid, p_delivery_ids uuid[] DEFAULT NULL::uuid[], OUT kinds text[], OUT suppressed text, OUT admitted boolean) RETURNS record LANGUAGE plpgsql VOLATILE
-- FUNCTION email_admit_each(p_shop_id bigint, p_customer_ids text[], p_kinds text[], p_alerted_at timestamp with time zone[], p_limits integer[], p_not_suppressed text[], p_batch_ids uuid[] DEFAULT NULL::uuid[], p_delivery_ids text[] DEFAULT NULL::text[]) RETURNS TABLE(ordinal bigint, kinds text[], suppressed text, admitted boolean) LANGUAGE plpgsql VOLATILE
-- FUNCTION email_came_back(p_shop_id bigint, p_batch_id uuid, p_at timestamp with time zone, p_status integer, p_error text, p_response text, p_address_sealed text) RETURNS text LANGUAGE plpgsql VOLATILE
-- FUNCTION email_suppress(p_shop_id bigint, p_customer_id text, p_address_sealed text, p_at timestamp with time zone, p_error text) RETURNS void LANGUAGE plpgsql VOLATILE
-- FUNCTION event_emit(p_shop_id bigint, p_events json, p_operational boolean DEFAULT false) RETURNS text[] LANGUAGE plpgsql VOLATILE
-- FUNCTION flow_withhold(p_shop_id bigint, p_limit integer) RETURNS integer LANGUAGE plpgsql VOLATILE
-- FUNCTION guest_admit(p_shop_id bigint, p_limit integer, p_at timestamp with time zone, p_origins text[] DEFAULT '{}'::text[]) RETURNS void LANGUAGE plpgsql VOLATILE
-- FUNCTION guest_lock(p_shop_id bigint, p_guest_id text) RETURNS text LANGUAGE plpgsql VOLATILE
-- FUNCTION guest_purge(p_shop_id bigint, p_before timestamp with time zone, p_after text, p_limit integer, p_at timestamp with time zone, OUT purged_count integer, OUT next_after text) RETURNS record LANGUAGE plpgsql VOLATILE
-- FUNCTION guest_touch(p_shop_id bigint, p_guest_id text, p_at timestamp with time zone) RETURNS void LANGUAGE plpgsql VOLATILE
-- FUNCTION history_clear_details(p_shop_id bigint, p_wishlist_ids bigint[]) RETURNS void LANGUAGE sql VOLATILE
-- FUNCTION history_trim(p_shop_id bigint, p_wishlist_id bigint, p_bytes integer DEFAULT 1000000, p_rows integer DEFAULT 4000) RETURNS void LANGUAGE plpgsql VOLATILE
-- FUNCTION import_create_lists(p_shop_id bigint, p_import_id text, p_owner_kind text, p_owner_ids text[], p_limit integer, p_at timestamp with time zone) RETURNS integer LANGUAGE plpgsql VOLATILE
-- FUNCTION import_purge_customer(p_shop_id bigint, p_customer_id text, p_at timestamp with time zone) RETURNS void LANGUAGE plpgsql VOLATILE
-- FUNCTION import_run_batch(p_shop_id bigint, p_import_id text, p_owners integer, p_at timestamp with time zone, p_list_limit integer, OUT running boolean, OUT added_count integer) RETURNS record LANGUAGE plpgsql VOLATILE
-- FUNCTION import_undo_batch(p_shop_id bigint, p_import_id text, p_lists integer, p_at timestamp with time zone, OUT running boolean, OUT removed_count integer) RETURNS record LANGUAGE plpgsql VOLATILE
-- FUNCTION item_row_snapshot(p_item anyelement) RETURNS jsonb LANGUAGE sql IMMUTABLE
-- FUNCTION item_snapshot_data(p_snapshot jsonb, p_at timestamp with time zone) RETURNS jsonb LANGUAGE sql STABLE
-- FUNCTION list_apply(p_shop_id bigint, p_wishlist_id bigint, p_changes item_change[], p_source text, p_at timestamp with time zone) RETURNS void LANGUAGE plpgsql VOLATILE
-- FUNCTION list_insert_items(p_shop_id bigint, p_wishlist_id bigint, p_product_ids text[], p_variant_ids text[], p_items jsonb[], p_today date, p_at timestamp with time zone, p_item_count integer DEFAULT NULL::integer) RETURNS item_change[] LANGUAGE plpgsql VOLATILE
-- FUNCTION list_remove_items(p_shop_id bigint, p_wishlist_id bigint, p_product_id text, p_variant_id text) RETURNS item_change[] LANGUAGE plpgsql VOLATILE
-- FUNCTION list_update_item(p_shop_id bigint, p_wishlist_id bigint, p_product_id text, p_variant_id text, p_changes jsonb, p_at timestamp with time zone, p_place integer DEFAULT 0) RETURNS item_change[] LANGUAGE plpgsql VOLATILE
-- FUNCTION notify_key_changed() RETURNS trigger LANGUAGE plpgsql VOLATILE
-- FUNCTION notify_shop_changed() RETURNS trigger LANGUAGE plpgsql VOLATILE
-- FUNCTION order_record(p_shop_id bigint, p_order_id text, p_reports integer, p_updated_at timestamp with time zone, p_ordered_at timestamp with time zone, p_currency text, p_counts boolean, p_lines jsonb, OUT endpoints text[]) RETURNS text[] LANGUAGE plpgsql VOLATILE
-- FUNCTION outbox_apply(p_shop_id bigint, p_batch activity[], p_most integer, OUT endpoints text[], OUT failed bigint[], OUT reasons text[]) RETURNS record LANGUAGE plpgsql VOLATILE
-- FUNCTION outbox_create_deliveries(p_shop_id bigint, p_batch activity[]) RETURNS text[] LANGUAGE plpgsql VOLATILE
-- FUNCTION outbox_discard(p_shop_id bigint, p_activity_id bigint) RETURNS boolean LANGUAGE plpgsql VOLATILE
-- FUNCTION outbox_process(p_shop_id bigint, p_limit integer, p_wait boolean, OUT processed integer, OUT endpoints text[], OUT traces text[], OUT last_number bigint, OUT failed bigint[], OUT reasons text[]) RETURNS record LANGUAGE plpgsql VOLATILE
-- FUNCTION outbox_update_rollups(p_shop_id bigint, p_batch activity[]) RETURNS void LANGUAGE plpgsql VOLATILE
-- FUNCTION product_is_published(p_status text, p_published_at timestamp with time zone, p_at timestamp with time zone) RETURNS boolean LANGUAGE sql IMMUTABLE
-- FUNCTION set_changed_at() RETURNS trigger LANGUAGE plpgsql VOLATILE
-- FUNCTION shopper_count_buyer(p_shop_id bigint, p_customer_id text, p_order_id text) RETURNS void LANGUAGE plpgsql VOLATILE
-- FUNCTION shopper_count_change(p_shop_id bigint, p_before shopper_count[], p_after shopper_count[]) RETURNS void LANGUAGE plpgsql VOLATILE
-- FUNCTION shopper_marks(p_shop_id bigint, p_shoppers bigint[], p_since date) RETURNS shopper_count[] LANGUAGE plpgsql STABLE
-- FUNCTION shopper_marks_later(p_shop_id bigint, p_shoppers bigint[], p_days date[], p_last_days date[], p_first_saves date[]) RETURNS shopper_count[] LANGUAGE plpgsql STABLE
-- FUNCTION shopper_merge_guest(p_shop_id bigint, p_guest_id text, p_customer_id text) RETURNS void LANGUAGE plpgsql VOLATILE
-- FUNCTION uri_component(p_text text) RETURNS text LANGUAGE plpgsql IMMUTABLE
-- FUNCTION uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE
-- FUNCTION uuid_v7_min(p_at timestamp with time zone) RETURNS uuid LANGUAGE sql IMMUTABLE
-- FUNCTION webhook_claim(p_shop_id bigint, p_endpoints text[], p_holder uuid, p_lease_ms double precision) RETURNS text[] LANGUAGE plpgsql VOLATILE
-- FUNCTION webhook_notify_disabled(p_shop_id bigint, p_endpoint text) RETURNS text[] LANGUAGE plpgsql VOLATILE
-- FUNCTION webhook_record_attempts(p_shop_id bigint, p_deliveries uuid[], p_numbers integer[], p_at timestamp with time zone[], p_duration_ms integer[], p_statuses integer[], p_errors text[], p_responses text[], p_urls text[], p_outcomes text[], p_wait_ms double precision[], p_batches uuid[] DEFAULT NULL::uuid[]) RETURNS void LANGUAGE plpgsql VOLATILE
-- FUNCTION webhook_record_failure(p_shop_id bigint, p_endpoint text, p_failures integer, p_backoff_ms double precision, p_gone boolean, p_failing_days integer, OUT reason text, OUT notified text[]) RETURNS record LANGUAGE plpgsql VOLATILE
-- FUNCTION webhook_redeliver_failed(p_shop_id bigint, p_endpoint text, p_since timestamp with time zone, p_limit integer, p_priority smallint, OUT taken integer, OUT queued integer) RETURNS record LANGUAGE plpgsql VOLATILE
-- FUNCTION webhook_release(p_shop_id bigint, p_endpoints text[], p_holder uuid) RETURNS void LANGUAGE plpgsql VOLATILE
-- FUNCTION webhook_renew(p_shop_id bigint, p_endpoints text[], p_holder uuid, p_lease_ms double precision) RETURNS text[] LANGUAGE plpgsql VOLATILE
-- FUNCTION webhook_reschedule(p_shop_id bigint, p_endpoint text, p_holder uuid) RETURNS boolean LANGUAGE plpgsql VOLATILE
-- FUNCTION webhook_schedule(p_shop_id bigint, p_endpoints text[], p_ignore_backoff boolean DEFAULT true) RETURNS void LANGUAGE plpgsql VOLATILE
-- FUNCTION wishlist_add(p_shop_id bigint, p_owner_kind text, p_owner_id text, p_product_id text, p_variant_id text, p_source text, p_at timestamp with time zone, p_guest_limit integer DEFAULT NULL::integer, p_any_variant boolean DEFAULT false, p_list text DEFAULT 'default'::text, p_quantity integer DEFAULT NULL::integer, p_note text DEFAULT NULL::text, p_properties jsonb DEFAULT NULL::jsonb, p_guest_origins text[] DEFAULT '{}'::text[], p_details jsonb DEFAULT NULL::jsonb, OUT outcome text, OUT count_after integer, OUT saved_variant_id text) RETURNS record LANGUAGE plpgsql VOLATILE
-- FUNCTION wishlist_add_cached(p_shop_id bigint, p_owner_kind text, p_owner_id text, p_product_id text, p_handle text, p_variant_id text, p_source text, p_at timestamp with time zone, p_guest_limit integer, p_list text DEFAULT 'default'::text, p_guest_origins text[] DEFAULT '{}'::text[], OUT product_id text, OUT variant_id text, OUT outcome text, OUT count_after integer, OUT saved_variant_id text, OUT total_after integer, OUT has_named_lists boolean) RETURNS record LANGUAGE plpgsql VOLATILE
-- FUNCTION wishlist_add_many(p_shop_id bigint, p_customer_ids text[], p_product_ids text[], p_variant_ids text[], p_sources text[], p_at timestamp with time zone[], OUT outcomes text[], OUT counts integer[], OUT saved_variant_ids text[]) RETURNS record LANGUAGE plpgsql VOLATILE
-- FUNCTION wishlist_batch(p_shop_id bigint, p_owner_kind text, p_owner_id text, p_list text, p_kinds text[], p_phases integer[], p_product_ids text[], p_variant_ids text[], p_details jsonb[], p_source text, p_at timestamp with time zone, p_guest_limit integer DEFAULT NULL::integer, p_guest_origins text[] DEFAULT '{}'::text[], OUT effects boolean[], OUT count_after integer) RETURNS record LANGUAGE plpgsql VOLATILE
-- FUNCTION wishlist_check_list(p_shop_id bigint, p_owner_kind text, p_owner_id text, p_except bigint, p_name_key text, p_limit integer) RETURNS text LANGUAGE plpgsql VOLATILE
-- FUNCTION wishlist_create_list(p_shop_id bigint, p_owner_kind text, p_owner_id text, p_list text, p_name text, p_name_key text, p_limit integer, p_source text, p_at timestamp with time zone, p_guest_limit integer DEFAULT NULL::integer, p_guest_origins text[] DEFAULT '{}'::text[], OUT outcome text, OUT list_position double precision) RETURNS record LANGUAGE plpgsql VOLATILE
-- FUNCTION wishlist_delete_list(p_shop_id bigint, p_owner_kind text, p_owner_id text, p_list text, p_source text, p_at timestamp with time zone, OUT removed_count integer, OUT version_after bigint) RETURNS record LANGUAGE plpgsql VOLATILE
-- FUNCTION wishlist_diff(p_shop_id bigint, p_wishlist_id bigint, p_version bigint) RETURNS TABLE(act text, product_id text, variant_id text, snapshot jsonb) LANGUAGE plpgsql VOLATILE
-- FUNCTION wishlist_lock(p_shop_id bigint, p_owner_kind text, p_owner_id text, p_at timestamp with time zone, p_create boolean, p_list text DEFAULT 'default'::text, p_guest_limit integer DEFAULT NULL::integer, p_guest_origins text[] DEFAULT '{}'::text[]) RETURNS wishlist LANGUAGE plpgsql VOLATILE
-- FUNCTION wishlist_merge(p_shop_id bigint, p_owner_kind text, p_owner_id text, p_product_ids text[], p_variant_ids text[], p_added_at timestamp with time zone[], p_source text, p_at timestamp with time zone, p_list text DEFAULT 'default'::text, p_quantities integer[] DEFAULT NULL::integer[], p_notes text[] DEFAULT NULL::text[], p_properties jsonb[] DEFAULT NULL::jsonb[], p_guest_limit integer DEFAULT NULL::integer, p_guest_origins text[] DEFAULT '{}'::text[], p_details jsonb[] DEFAULT NULL::jsonb[], OUT added_count integer, OUT count_after integer) RETURNS record LANGUAGE plpgsql VOLATILE
-- FUNCTION wishlist_merge_guest(p_shop_id bigint, p_guest_id text, p_customer_id text, p_at timestamp with time zone, p_limit integer DEFAULT 50, OUT merged boolean, OUT added_count integer, OUT count_after integer) RETURNS record LANGUAGE plpgsql VOLATILE
-- FUNCTION wishlist_merge_list(p_shop_id bigint, p_guest_list bigint, p_customer_id text, p_list text, p_at timestamp with time zone) RETURNS integer LANGUAGE plpgsql VOLATILE
-- FUNCTION wishlist_move_items(p_shop_id bigint, p_owner_kind text, p_owner_id text, p_from text, p_to text, p_product_ids text[], p_variant_ids text[], p_copy boolean, p_source text, p_at timestamp with time zone, OUT changed integer, OUT from_count integer, OUT to_count integer, OUT gained integer) RETURNS record LANGUAGE plpgsql VOLATILE
-- FUNCTION wishlist_new_handle(p_shop_id bigint, p_owner_kind text, p_owner_id text, p_wanted text) RETURNS text LANGUAGE plpgsql VOLATILE
-- FUNCTION wishlist_record_cart(p_shop_id bigint, p_owner_kind text, p_owner_id text, p_product_id text, p_variant_id text, p_event_id text, p_source text, p_at timestamp with time zone, OUT outcome text) RETURNS text LANGUAGE plpgsql VOLATILE
-- FUNCTION wishlist_record_cart_items(p_shop_id bigint, p_owner_kind text, p_owner_id text, p_product_ids text[], p_variant_ids text[], p_event_id text, p_source text, p_at timestamp with time zone) RETURNS integer LANGUAGE plpgsql VOLATILE
-- FUNCTION wishlist_record_view(p_shop_id bigint, p_link_id bigint, p_at timestamp with time zone) RETURNS void LANGUAGE plpgsql VOLATILE
-- FUNCTION wishlist_remove(p_shop_id bigint, p_owner_kind text, p_owner_id text, p_product_id text, p_variant_id text, p_source text, p_at timestamp with time zone, p_list text DEFAULT 'default'::text, OUT removed_count integer, OUT count_after integer) RETURNS record LANGUAGE plpgsql VOLATILE
-- FUNCTION wishlist_remove_many(p_shop_id bigint, p_customer_ids text[], p_product_ids text[], p_variant_ids text[], p_sources text[], p_at timestamp with time zone[], OUT removed_counts integer[], OUT counts integer[]) RETURNS record LANGUAGE plpgsql VOLATILE
-- FUNCTION wishlist_restore(p_shop_id bigint, p_owner_kind text, p_owner_id text, p_list text, p_version bigint, p_limit integer, p_source text, p_at timestamp with time zone, p_expected bigint DEFAULT NULL::bigint, OUT added_count integer, OUT removed_count integer, OUT updated_count integer, OUT count_after integer, OUT version_after bigint) RETURNS record LANGUAGE plpgsql VOLATILE
-- FUNCTION wishlist_save_line(p_shop_id bigint, p_owner_kind text, p_owner_id text, p_product_id text, p_variant_id text, p_quantity integer, p_properties jsonb, p_at timestamp with time zone, p_cached boolean, p_guest_limit integer DEFAULT NULL::integer, p_guest_origins text[] DEFAULT '{}'::text[], OUT outcome text, OUT count_after integer, OUT quantity_before integer, OUT properties_before jsonb) RETURNS record LANGUAGE plpgsql VOLATILE
-- FUNCTION wishlist_share(p_shop_id bigint, p_owner_kind text, p_owner_id text, p_token_hash bytea, p_token_sealed text, p_source text, p_at timestamp with time zone, p_list text DEFAULT 'default'::text, p_sharer text DEFAULT NULL::text, OUT created boolean, OUT sealed text, OUT expires timestamp with time zone, OUT sharer text) RETURNS record LANGUAGE plpgsql VOLATILE
-- FUNCTION wishlist_summarize(p_shop_id bigint, p_lists bigint[]) RETURNS void LANGUAGE plpgsql VOLATILE
-- FUNCTION wishlist_summary_step(p_shop_id bigint, p_limit integer, p_begin boolean, p_at timestamp with time zone, OUT remaining boolean) RETURNS boolean LANGUAGE plpgsql VOLATILE
-- FUNCTION wishlist_unshare(p_shop_id bigint, p_owner_kind text, p_owner_id text, p_at timestamp with time zone, p_list text DEFAULT 'default'::text, OUT revoked boolean) RETURNS boolean LANGUAGE plpgsql VOLATILE
-- FUNCTION wishlist_update_item(p_shop_id bigint, p_owner_kind text, p_owner_id text, p_product_id text, p_variant_id text, p_changes jsonb, p_source text, p_at timestamp with time zone, p_list text DEFAULT 'default'::text, OUT updated boolean, OUT variant_id text, OUT added_at timestamp with time zone, OUT quantity integer, OUT note text, OUT properties jsonb, OUT item_position double precision, OUT details jsonb) RETURNS record LANGUAGE plpgsql VOLATILE
-- FUNCTION wishlist_update_list(p_shop_id bigint, p_owner_kind text, p_owner_id text, p_list text, p_name text, p_name_key text, p_position double precision, p_source text, p_at timestamp with time zone, OUT outcome text) RETURNS text LANGUAGE plpgsql VOLATILE
