-- Returns the key of an advisory lock. All advisory locks of the SQL functions use it, so this is the list of their classes:
--   outbox: processing a shop's activity; p_subject is the shop's id
--   alerts: detecting, fanning out and releasing a shop's alerts, and erasing a customer; p_subject is the shop's id
--   consent: changing what a customer has asked for; p_subject is the shop's id and the customer's id
--   guest:  changing a guest's list, or merging it into a customer's; p_subject is the shop's id and the guest's id
--   summary: bringing the summaries of a shop's lists up to date; p_subject is the shop's id
--   contact: asking by an address; p_subject is the shop's id and the hash of the address
--   buyers: counting a shop's shoppers, and recording its orders; p_subject is the shop's id
--   email:  counting the messages to a customer; p_subject is the shop's id and the customer's id
-- A class never gets another number: processes of two releases lock each other out during a rolling start.
CREATE OR REPLACE FUNCTION advisory_lock_key(p_class text, p_subject text) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  CASE p_class
    WHEN 'outbox' THEN RETURN hashtextextended(p_subject, 1);
    WHEN 'guest' THEN RETURN hashtextextended(p_subject, 2);
    WHEN 'consent' THEN RETURN hashtextextended(p_subject, 4);
    WHEN 'alerts' THEN RETURN hashtextextended(p_subject, 3);
    WHEN 'summary' THEN RETURN hashtextextended(p_subject, 5);
    WHEN 'email' THEN RETURN hashtextextended(p_subject, 6);
    WHEN 'contact' THEN RETURN hashtextextended(p_subject, 7);
    WHEN 'buyers' THEN RETURN hashtextextended(p_subject, 8);
  END CASE;
END $$;
