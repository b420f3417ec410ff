-- What the owner calls a webhook; null for one that is known by its address.
ALTER TABLE webhook_endpoint ADD COLUMN name text;
