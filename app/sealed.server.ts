import { SEALED_CONTACTS } from "./contacts/index.server.ts";
import { SEALED_ADDRESSES } from "./email/index.server.ts";
import { SEALED_RESPONSES } from "./http/idempotency.server.ts";
import { SEALED_KLAVIYO_KEYS } from "./klaviyo/index.server.ts";
import type { SealedColumn } from "./platform/encryption/sealed-columns.server.ts";
import { SEALED_SESSIONS } from "./shopify-sessions/index.server.ts";
import { SEALED_PRIVACY_REQUESTS } from "./privacy/index.server.ts";
import { SEALED_SECRETS } from "./webhooks/index.server.ts";
import { SEALED_SHARE_LINKS } from "./wishlists/index.server.ts";

/** All columns with sealed values. */
export const SEALED: readonly SealedColumn[] = [
  SEALED_SHARE_LINKS,
  ...SEALED_SECRETS,
  ...SEALED_SESSIONS,
  ...SEALED_PRIVACY_REQUESTS,
  SEALED_RESPONSES,
  SEALED_ADDRESSES,
  SEALED_CONTACTS,
  SEALED_KLAVIYO_KEYS,
];
