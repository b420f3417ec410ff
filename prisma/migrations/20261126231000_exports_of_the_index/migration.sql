-- What an export from the index of wishlists contains. NULL: the link is one to all lists of the shop.
ALTER TABLE export_link ADD COLUMN selection jsonb;
