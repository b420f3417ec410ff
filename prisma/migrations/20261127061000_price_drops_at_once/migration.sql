-- Whether price drops go at once although the other alerts of a day are collected.
ALTER TABLE alert_settings ADD COLUMN price_drops_at_once boolean NOT NULL DEFAULT false;
