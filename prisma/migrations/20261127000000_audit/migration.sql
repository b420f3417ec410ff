-- What staff changed, and what the shop pays for.

CREATE TABLE audit (
  shop_id     integer        NOT NULL REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id          uuid           NOT NULL,
  at          timestamptz(3) NOT NULL,
  area        text           NOT NULL,
  act         text           NOT NULL,
  subject     text,
  customer_id text,
  details     jsonb          NOT NULL DEFAULT '{}',
  staff_id    text,
  staff_name  text,
  staff_email text,
  PRIMARY KEY (shop_id, id)
);
-- A filter of the list is a range of an index, in the list's order.
CREATE INDEX audit_area ON audit (shop_id, area, id);
CREATE INDEX audit_staff ON audit (shop_id, staff_id, id);
CREATE INDEX audit_customer ON audit (shop_id, customer_id, id);

CREATE TABLE billing (
  shop_id          integer        PRIMARY KEY REFERENCES shop (id) ON DELETE CASCADE ON UPDATE CASCADE,
  asked_at         timestamptz(3) NOT NULL,
  development      boolean        NOT NULL,
  trial_started_at timestamptz(3),
  plan             text           CHECK (plan IN ('starter', 'growth')),
  status           text           CHECK (status IN ('active', 'frozen')),
  test             boolean        NOT NULL DEFAULT false,
  trial_ends_at    timestamptz(3),
  period_ends_at   timestamptz(3),
  CHECK ((plan IS NULL) = (status IS NULL))
);

-- All links of a wishlist, and how many of a shop's are open. Neither is touched by counting a view.
CREATE INDEX share_link_wishlist ON share_link (shop_id, wishlist_id, id);
CREATE INDEX share_link_expires ON share_link (shop_id, expires_at, revoked_at);
