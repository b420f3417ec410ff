ALTER TABLE shop ADD COLUMN named_lists boolean NOT NULL DEFAULT true;
