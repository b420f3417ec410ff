import type { SealedColumn } from "../../platform/encryption/sealed-columns.server.ts";

/** The purpose with which the secrets of endpoints are sealed. */
export const SECRET_PURPOSE = "webhook_endpoint.secret";

const sealedColumn = (column: string, holds: string): SealedColumn => ({
  holds,
  table: "webhook_endpoint",
  column,
  byShop: true,
  key: { id: "text" },
  purpose: () => SECRET_PURPOSE,
});

export const SEALED_SECRETS = [
  sealedColumn("secret_sealed", "webhook secrets"),
  sealedColumn("old_secret_sealed", "previous webhook secrets"),
];
