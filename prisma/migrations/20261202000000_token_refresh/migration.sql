-- One process at a time refreshes the tokens of a shop. A refusal is kept for the operator.
ALTER TABLE session
  ADD COLUMN refresh_lease_until timestamptz(3),
  ADD COLUMN refresh_failed_since timestamptz(3),
  ADD COLUMN refresh_error text;
