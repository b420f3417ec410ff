-- Records that saved variants were put into the cart, each once per event id. Returns how many were recorded.
CREATE OR REPLACE FUNCTION wishlist_record_cart_items(
  p_shop_id bigint, p_owner_kind text, p_owner_id text, p_product_ids text[], p_variant_ids text[],
  p_event_id text, p_source text, p_at timestamptz
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  i record;
  recorded_count integer := 0;
BEGIN
  FOR i IN SELECT * FROM unnest(p_product_ids, p_variant_ids) AS g (product_id, variant_id) LOOP
    IF wishlist_record_cart(p_shop_id, p_owner_kind, p_owner_id, i.product_id, i.variant_id, p_event_id, p_source, p_at) = 'recorded' THEN
      recorded_count := recorded_count + 1;
    END IF;
  END LOOP;
  RETURN recorded_count;
END $$;
