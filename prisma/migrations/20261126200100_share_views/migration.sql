-- Views of a shop's share links by day. Days before this migration have no rows.
CREATE TABLE share_daily (
  shop_id bigint  NOT NULL,
  day     date    NOT NULL,
  views   integer NOT NULL DEFAULT 0,
  PRIMARY KEY (shop_id, day)
) WITH (fillfactor = 70);
