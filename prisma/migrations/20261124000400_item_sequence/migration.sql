-- The sequence number of an added or updated item, which orders items with the same time: the change feed shows it.
ALTER TABLE activity ADD COLUMN item_seq bigint;
