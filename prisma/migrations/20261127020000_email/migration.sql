-- Alerts by email: how a shop's messages look, the messages of the last week, and addresses that refuse them.
CREATE TABLE email_settings (
  shop_id bigint PRIMARY KEY REFERENCES shop (id) ON DELETE CASCADE,
  kinds text[] NOT NULL DEFAULT '{}',
  sender_name text NOT NULL,
  reply_to text NOT NULL,
  postal_address text NOT NULL,
  accent text NOT NULL,
  logo_url text,
  weekly_limit integer NOT NULL,
  texts jsonb NOT NULL DEFAULT '{}',
  version integer NOT NULL DEFAULT 0
);

CREATE TABLE email_message (
  shop_id bigint NOT NULL,
  customer_id text NOT NULL,
  alerted_at timestamptz(3) NOT NULL,
  PRIMARY KEY (shop_id, customer_id, alerted_at)
);
CREATE INDEX email_message_purged ON email_message (shop_id, alerted_at);

CREATE TABLE email_suppression (
  shop_id bigint NOT NULL,
  customer_id text NOT NULL,
  address_sealed text NOT NULL,
  at timestamptz(3) NOT NULL,
  error text NOT NULL,
  PRIMARY KEY (shop_id, customer_id)
);
CREATE INDEX email_suppression_purged ON email_suppression (shop_id, at);
