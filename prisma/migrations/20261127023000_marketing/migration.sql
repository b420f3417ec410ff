-- The accounts of marketing tools to which a shop's events are sent.
CREATE TABLE marketing_connection (
  shop_id bigint NOT NULL REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  tool text NOT NULL,
  key_sealed text NOT NULL,
  account_id text NOT NULL,
  account_name text NOT NULL,
  connected_at timestamptz(3) NOT NULL,
  refused_at timestamptz(3),
  refusal text,
  PRIMARY KEY (shop_id, tool)
);
