-- What connects a shop to its Shopify store: sessions, the catalogue mirror's progress, privacy requests.

-- A storefront names products by their handles.
CREATE INDEX product_handle ON product (shop_id, handle);
