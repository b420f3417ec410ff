-- The list's item count after a change, where it is not the one after all changes. kind can be a change of the list itself, too: list_created |
-- list_renamed | list_moved | list_deleted
ALTER TYPE item_change ADD ATTRIBUTE item_count integer;
