-- Which triggers of Shopify Flow a shop's workflows use. Their deliveries are those of the webhook `flow`.
CREATE TABLE flow_trigger (
  shop_id bigint NOT NULL REFERENCES shop (id) ON UPDATE CASCADE ON DELETE CASCADE,
  handle text NOT NULL,
  enabled boolean NOT NULL,
  changed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (shop_id, handle)
);
