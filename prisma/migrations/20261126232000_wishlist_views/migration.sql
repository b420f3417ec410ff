-- Filters and order of the index of wishlists that staff have saved under a name.
CREATE TABLE wishlist_view (
  shop_id    bigint         NOT NULL REFERENCES shop (id) ON DELETE CASCADE,
  id         bigserial      NOT NULL,
  name       text           NOT NULL,
  query      text           NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (shop_id, id)
);
