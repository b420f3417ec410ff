-- The name that a shopper gives with a share link, for people who open it.
ALTER TABLE share_link ADD COLUMN shared_by text;
