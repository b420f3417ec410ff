-- Which limit a key's requests count against.
ALTER TABLE api_key
  ADD COLUMN kind text NOT NULL DEFAULT 'admin' CHECK (kind IN ('admin', 'storefront_server'));
