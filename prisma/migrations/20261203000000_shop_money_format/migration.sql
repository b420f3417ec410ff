-- The store's format of prices, as Shopify reports it.
ALTER TABLE shop ADD COLUMN money_format text;
