-- Customers to whom staff add a tag in Shopify, which a task does.
CREATE TABLE customer_tagging (
  shop_id bigint NOT NULL REFERENCES shop (id) ON DELETE CASCADE,
  id uuid NOT NULL,
  tag text NOT NULL,
  customer_ids text[] NOT NULL,
  total integer NOT NULL,
  tagged integer NOT NULL DEFAULT 0,
  refused integer NOT NULL DEFAULT 0,
  problem text,
  status text NOT NULL,
  PRIMARY KEY (shop_id, id)
);
