#!/bin/sh
# Runs once, when the volume is empty: the service's role owns its database and nothing else. compose.citus.yaml names a user, because
# distributing tables takes a superuser.
set -eu
[ "${POSTGRES_USER:-postgres}" = postgres ] || exit 0
psql --set ON_ERROR_STOP=1 --set password="$POSTGRES_PASSWORD" --username postgres <<'SQL'
CREATE ROLE wishlist LOGIN PASSWORD :'password';
CREATE DATABASE wishlist OWNER wishlist;
SQL
