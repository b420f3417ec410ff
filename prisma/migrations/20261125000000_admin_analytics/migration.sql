-- What the analytics of the merchant's admin look up.

-- Of each wanted product, the variants that can't be bought: few, and not to be found by looking at all the others.
CREATE INDEX variant_unavailable ON variant (shop_id, product_id) WHERE NOT available AND deleted_at IS NULL;
