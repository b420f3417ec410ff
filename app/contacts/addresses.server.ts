import { mailAddress } from "../email/address.ts";
import { fingerprints, seal, unseal } from "../platform/encryption/crypto.server.ts";
import type { SealedColumn } from "../platform/encryption/sealed-columns.server.ts";

const PURPOSE = "contact.address";

/** What is hashed: with the shop, so that two shops' rows do not tell that a shopper uses both. Mail servers do not tell cases apart. */
function hashedText(shopId: number, address: string): string {
  return `${shopId} ${address.toLowerCase()}`;
}

export const SEALED_CONTACTS: SealedColumn = {
  holds: "addresses of shoppers without an account",
  table: "contact",
  column: "address_sealed",
  byShop: true,
  key: { id: "text" },
  purpose: () => PURPOSE,
  fingerprint: { column: "address_hash", text: hashedText },
};

/** An address as a contact's row has it. */
export interface ContactAddress {
  sealed: string;
  /** with each key, that of the first key first */
  hashes: string[];
}

/** Returns how an address is stored and found; undefined for anything but one address. @param text as it was typed */
export function contactAddress(shopId: number, text: string): ContactAddress | undefined {
  const address = mailAddress(text.trim());
  if (address === undefined) return undefined;
  return { sealed: seal(address, PURPOSE), hashes: fingerprints(hashedText(shopId, address), PURPOSE) };
}

export function openAddress(sealed: string): string {
  return unseal(sealed, PURPOSE);
}
