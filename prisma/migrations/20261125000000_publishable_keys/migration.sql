-- Keys for browsers and apps: they have no secret that works, and are bound to the origins of the shop's pages.
ALTER TABLE api_key ADD COLUMN allowed_origins text[] DEFAULT ARRAY[]::text[];
ALTER TABLE api_key DROP CONSTRAINT api_key_kind_check;
ALTER TABLE api_key ADD CONSTRAINT api_key_kind_check CHECK (kind IN ('admin', 'storefront_server', 'publishable'));
