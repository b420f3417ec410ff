-- Tells whether shoppers can see a product: its status is visible to customers, and it is published on the online store.
CREATE OR REPLACE FUNCTION product_is_published(p_status text, p_published_at timestamptz, p_at timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT p_status IN ('ACTIVE', 'UNLISTED') AND p_published_at <= p_at
$$;
