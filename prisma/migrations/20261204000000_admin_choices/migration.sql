-- Whether the admin shows customers' names: a display setting, apart from the permission to read them.
ALTER TABLE shop ADD COLUMN customer_names boolean NOT NULL DEFAULT true;
-- When the merchant said that the store's menu leads to the wishlist page, which the app can't see.
ALTER TABLE shop ADD COLUMN menu_linked_at timestamptz(3);
