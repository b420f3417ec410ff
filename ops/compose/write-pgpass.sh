#!/bin/sh
# Runs once, when the volume is empty: with this file a node authenticates itself to the others. The image does not leave PGPASSWORD to the
# server.
set -eu
umask 077
printf '*:*:*:*:%s\n' "$POSTGRES_PASSWORD" > "$PGPASSFILE"
