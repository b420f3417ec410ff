-- Counts a customer as one who bought a saved item while an order with one counts: p_order_id, which was just recorded, or another one. An order that was
-- purged by its age keeps counting. The caller holds the lock of the shop's buyers, without which a first save at the same time would miss the order.
CREATE OR REPLACE FUNCTION shopper_count_buyer(p_shop_id bigint, p_customer_id text, p_order_id text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  customer shopper;
  buying text;
  marks_before shopper_count[];
BEGIN
  SELECT * INTO customer FROM shopper WHERE shop_id = p_shop_id AND owner_kind = 'customer' AND owner_id = p_customer_id;
  IF NOT FOUND OR (customer.bought_order_id IS NOT NULL AND customer.bought_order_id <> p_order_id) THEN
    RETURN;
  END IF;
  SELECT l.order_id INTO buying
    FROM order_line l WHERE l.shop_id = p_shop_id AND l.customer_id = p_customer_id AND l.units > 0
   ORDER BY l.order_id <> p_order_id, l.order_id LIMIT 1;
  IF buying IS NOT DISTINCT FROM customer.bought_order_id THEN
    RETURN;
  END IF;
  marks_before := shopper_marks(p_shop_id, ARRAY[customer.id], 'infinity');
  UPDATE shopper SET bought_order_id = buying WHERE shop_id = p_shop_id AND id = customer.id;
  PERFORM shopper_count_change(p_shop_id, marks_before, shopper_marks(p_shop_id, ARRAY[customer.id], 'infinity'));
END $$;
