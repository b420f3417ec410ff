-- Admits messages to customers in one transaction, each as email_admit does. p_kinds and p_delivery_ids are those of each message, separated by commas.
-- Returns a row for each message, with its ordinal from 1.
CREATE OR REPLACE FUNCTION email_admit_each(
  p_shop_id bigint, p_customer_ids text[], p_kinds text[], p_alerted_at timestamptz[], p_limits integer[], p_not_suppressed text[],
  p_batch_ids uuid[] DEFAULT NULL, p_delivery_ids text[] DEFAULT NULL
) RETURNS TABLE (ordinal bigint, kinds text[], suppressed text, admitted boolean) LANGUAGE plpgsql AS $$
DECLARE
  message record;
BEGIN
  -- Sorted, so that two calls lock the same customers in the same order.
  FOR message IN
    SELECT g.*
      FROM unnest(p_customer_ids, p_kinds, p_alerted_at, p_limits, p_not_suppressed, p_batch_ids, p_delivery_ids)
             WITH ORDINALITY AS g (customer_id, kinds, alerted_at, weekly_limit, not_suppressed, batch_id, delivery_ids, ordinal)
     ORDER BY g.customer_id, g.ordinal
  LOOP
    ordinal := message.ordinal;
    SELECT a.kinds, a.suppressed, a.admitted INTO kinds, suppressed, admitted
      FROM email_admit(p_shop_id => p_shop_id, p_customer_id => message.customer_id, p_kinds => string_to_array(message.kinds, ','),
                       p_alerted_at => message.alerted_at, p_limit => message.weekly_limit, p_not_suppressed => message.not_suppressed,
                       p_batch_id => message.batch_id, p_delivery_ids => string_to_array(message.delivery_ids, ',')::uuid[]) AS a;
    RETURN NEXT;
  END LOOP;
END $$;
