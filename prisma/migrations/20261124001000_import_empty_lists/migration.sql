-- The price of an item when it was saved, and the lists that an import creates: files also contain lists without items.
ALTER TABLE import_entry ADD COLUMN saved_price numeric(14, 2);

ALTER TABLE wishlist_import ADD COLUMN lists_new integer NOT NULL DEFAULT 0;
ALTER TABLE wishlist_import ADD COLUMN lists_created integer NOT NULL DEFAULT 0;
