-- One address could use up a shop's new guests of an hour. Each address and network has a share of them.
CREATE TABLE guest_origin_hour (
  shop_id bigint NOT NULL REFERENCES shop (id) ON UPDATE CASCADE ON DELETE CASCADE,
  origin text NOT NULL,
  hour timestamptz(3) NOT NULL,
  guests integer NOT NULL,
  PRIMARY KEY (shop_id, origin)
);
CREATE INDEX guest_origin_hour_hour ON guest_origin_hour (shop_id, hour);
