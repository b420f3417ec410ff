-- The items of a file, by list and with details. A new table beside import_item: processes of the release before insert there with ON CONFLICT on its
-- primary key, which has no list. import_collect takes over what they have inserted.
CREATE TABLE import_entry (
  shop_id    bigint           NOT NULL,
  import_id  text             NOT NULL,
  owner_kind text             NOT NULL,
  owner_id   text             NOT NULL,
  list_key   text             NOT NULL DEFAULT '',
  product_id text             NOT NULL,
  variant_id text             NOT NULL,
  added_at   timestamptz(3)   NOT NULL,
  line       integer          NOT NULL,
  list_id    text,
  list_name  text,
  name_key   text,
  quantity   integer,
  note       text,
  properties jsonb,
  position   double precision,
  PRIMARY KEY (shop_id, import_id, owner_kind, owner_id, list_key, product_id, variant_id),
  FOREIGN KEY (shop_id, import_id) REFERENCES wishlist_import (shop_id, id) ON DELETE CASCADE
);

-- Whether the import created the item's list, which an undo then deletes when it is empty.
ALTER TABLE import_added ADD COLUMN list_created boolean NOT NULL DEFAULT false;
