-- Since when Shopify reports the store's orders to the app: between the merchant's permission and the subscriptions, it does not.
ALTER TABLE shop ADD COLUMN orders_reported_since timestamptz(3);
