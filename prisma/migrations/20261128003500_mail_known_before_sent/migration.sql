-- A report about a message finds it before the attempt to send it is recorded, by its Message-ID.
ALTER TABLE email_message ADD COLUMN batch_id uuid, ADD COLUMN delivery_ids uuid[];
CREATE INDEX email_message_batch ON email_message (shop_id, batch_id);

-- A line that counts because its customer had asked for an alert has no list.
ALTER TABLE order_line ADD COLUMN requested boolean NOT NULL DEFAULT false;
