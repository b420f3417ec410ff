-- Shopify's numeric id of the store. Webhook bodies name the store by it; the headers of a webhook are unsigned.
ALTER TABLE shop ADD COLUMN store_id text;

-- Whether shoppers may see a product. published_at is when it is published on the online store, and may lie ahead. ever_published stays
-- true afterwards: what shoppers have seen may go on being shown in their lists. Until the next sync, which begins anew, the products of
-- today count as published, as they did so far.
ALTER TABLE product
  ADD COLUMN status         text    NOT NULL DEFAULT 'ACTIVE',
  ADD COLUMN published_at   timestamptz(3),
  ADD COLUMN ever_published boolean NOT NULL DEFAULT false;
ALTER TABLE product ALTER COLUMN status DROP DEFAULT;
UPDATE product SET published_at = updated_at, ever_published = deleted_at IS NOT NULL;
DELETE FROM catalog_sync;

-- ---------------------------------------------------------------------------------------------------------------------
-- A ceiling for new guests, per shop and hour (UTC): anybody can run a script that invents guests.

-- The guests of a shop's current hour.
CREATE TABLE guest_hour (
  shop_id integer        PRIMARY KEY REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  hour    timestamptz(3) NOT NULL,
  guests  integer        NOT NULL
);

-- Counts a new guest. False when the hour has had p_limit of them; nothing is counted then. The row is locked until the end of the
-- transaction, so the count is exact over all processes. An hour never goes back: the clocks of two machines differ.
CREATE FUNCTION guest_admit(p_shop_id integer, p_limit integer, p_at timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO guest_hour AS t (shop_id, hour, guests) VALUES (p_shop_id, date_trunc('hour', p_at, 'UTC'), 1)
      ON CONFLICT (shop_id) DO UPDATE
     SET hour = greatest(t.hour, EXCLUDED.hour), guests = CASE WHEN EXCLUDED.hour > t.hour THEN 1 ELSE t.guests + 1 END
   WHERE EXCLUDED.hour > t.hour OR t.guests < p_limit;
  RETURN FOUND;
END $$;

-- As before, but a guest who has no list yet is admitted first. With p_guest_limit null there is no ceiling.
-- outcome: added | present | full | refused: too many new guests in this hour; nothing has changed
DROP FUNCTION wishlist_add(integer, text, text, text, text, text, timestamptz);
CREATE FUNCTION wishlist_add(
  p_shop_id integer, p_owner_kind text, p_owner_id text, p_product_id text, p_variant_id text,
  p_source text, p_at timestamptz, p_guest_limit integer DEFAULT NULL, OUT outcome text, OUT count_after integer
) LANGUAGE plpgsql AS $$
DECLARE
  s record;
  w wishlist;
  limited CONSTANT boolean := p_owner_kind = 'guest' AND p_guest_limit IS NOT NULL;
BEGIN
  w := wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, NOT limited);
  IF w.id IS NULL THEN
    IF NOT guest_admit(p_shop_id, p_guest_limit, p_at) THEN
      outcome := 'refused';
      count_after := 0;
      RETURN;
    END IF;
    w := wishlist_lock(p_shop_id, p_owner_kind, p_owner_id, p_at, true);
  END IF;
  count_after := w.item_count;

  PERFORM 1 FROM wishlist_item
    WHERE shop_id = p_shop_id AND wishlist_id = w.id AND product_id = p_product_id AND variant_id = p_variant_id;
  IF FOUND THEN
    outcome := 'present';
    RETURN;
  END IF;

  SELECT item_cap, (p_at AT TIME ZONE time_zone)::date AS today INTO STRICT s FROM shop WHERE id = p_shop_id;
  IF w.item_count >= s.item_cap THEN
    outcome := 'full';
    RETURN;
  END IF;

  INSERT INTO wishlist_item (shop_id, wishlist_id, product_id, variant_id, added_at, saved_on)
  VALUES (p_shop_id, w.id, p_product_id, p_variant_id, p_at, s.today);
  UPDATE wishlist SET item_count = item_count + 1, version = version + 1, updated_at = p_at
   WHERE shop_id = p_shop_id AND id = w.id;
  INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count,
                        product_id, variant_id, at, day)
  VALUES (p_shop_id, 'added', p_source, p_owner_kind, p_owner_id, w.id, w.version + 1, w.item_count + 1,
          p_product_id, p_variant_id, p_at, s.today);
  outcome := 'added';
  count_after := w.item_count + 1;
END $$;
