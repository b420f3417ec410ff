-- Takes over the items of a file that a process of the release before has read. They have no named list and no details.
CREATE OR REPLACE FUNCTION import_collect(p_shop_id bigint, p_import_id text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM import_item WHERE shop_id = p_shop_id AND import_id = p_import_id LIMIT 1;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  -- In a CTE, because Citus can't run a plain INSERT … SELECT of a distributed table in a transaction of several statements.
  WITH taken AS (
    DELETE FROM import_item WHERE shop_id = p_shop_id AND import_id = p_import_id
    RETURNING owner_kind, owner_id, product_id, variant_id, added_at, line
  )
  INSERT INTO import_entry (shop_id, import_id, owner_kind, owner_id, product_id, variant_id, added_at, line)
  SELECT p_shop_id, p_import_id, owner_kind, owner_id, product_id, variant_id, added_at, line FROM taken
      ON CONFLICT DO NOTHING;
END $$;
