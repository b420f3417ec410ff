-- What the prices of the mirrored catalogue are in (ISO 4217). NULL until Shopify has said it, which each visit of the merchant asks.
ALTER TABLE shop ADD COLUMN currency text;
