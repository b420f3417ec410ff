-- Records what a customer asks for or withdraws. Writes nothing when it is so already. A withdrawal by a link is recorded without a consent before it, too:
-- a merchant who answers for the consent must not alert the customer again. p_wording is the text to which the customer agreed. Returns whether
-- something was recorded.
CREATE OR REPLACE FUNCTION alert_consent_record(
  p_shop_id bigint, p_customer_id text, p_kinds text[], p_given boolean, p_at timestamptz, p_source text,
  p_wording text DEFAULT NULL, p_locale text DEFAULT NULL
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  recorded boolean;
BEGIN
  -- Two requests of one customer follow each other; an erasure waits for them.
  PERFORM pg_advisory_xact_lock(advisory_lock_key('consent', p_shop_id || ' ' || p_customer_id));
  INSERT INTO alert_consent (shop_id, customer_id, kind, given, at, source, wording, locale)
  SELECT p_shop_id, p_customer_id, k.kind, p_given, p_at, p_source, p_wording, p_locale
    FROM unnest(p_kinds) AS k (kind)
   WHERE p_given IS DISTINCT FROM coalesce((SELECT c.given FROM alert_consent c
                                             WHERE c.shop_id = p_shop_id AND c.customer_id = p_customer_id AND c.kind = k.kind
                                             ORDER BY c.id DESC LIMIT 1),
                                            CASE WHEN p_source <> 'link' THEN false END);
  recorded := FOUND;
  IF recorded THEN
    PERFORM wishlist_summarize(p_shop_id, ARRAY(SELECT y.wishlist_id
                                                  FROM wishlist w JOIN wishlist_summary y ON y.shop_id = p_shop_id AND y.wishlist_id = w.id
                                                 WHERE w.shop_id = p_shop_id AND w.owner_kind = 'customer' AND w.owner_id = p_customer_id));
  END IF;
  RETURN recorded;
END $$;
