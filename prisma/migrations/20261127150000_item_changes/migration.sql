-- A change of one item of a list, as list_apply appends it to the activity. kind: added | removed | updated
CREATE TYPE item_change AS (kind text, product_id text, variant_id text, item_seq bigint, data jsonb, before jsonb);
