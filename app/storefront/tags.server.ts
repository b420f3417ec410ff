import { createHmac, timingSafeEqual } from "node:crypto";
import { LRUCache } from "lru-cache";
import { nowMs } from "../platform/clock.server.ts";
import { secrets } from "../platform/process/env.server.ts";
import type { Shopper } from "./identity.server.ts";

/** Milliseconds for which a form can be sent after its page was rendered. */
const FORM_LIFETIME = 24 * 3_600_000;

const keys = new Map<string, Buffer>();

/** Returns the app's secrets: the first makes tags and tokens, all verify tokens. */
function appSecrets(): readonly [string, ...string[]] {
  return secrets().shopifyApiSecrets ?? [""];
}

/** Returns a purpose's key, derived from a secret of the app. */
function keyFor(purpose: "owner" | "form", secret: string): Buffer {
  const name = `${purpose} ${secret}`;
  const known = keys.get(name);
  if (known) return known;
  const made = createHmac("sha256", secret).update(`wishlist ${purpose}`).digest();
  keys.set(name, made);
  return made;
}

/** Returns a keyed hash of a shopper for one purpose, which reveals nothing about them. */
function keyed(purpose: "owner" | "form", { shopId, owner }: Shopper, more = "", [secret] = appSecrets()): Buffer {
  return createHmac("sha256", keyFor(purpose, secret))
    .update(`${shopId} ${owner?.kind === "customer" ? owner.id : ""} ${more}`)
    .digest();
}

// A shopper's page sends several requests.
const ownerTags = new LRUCache<string, string>({ max: 10_000 });

/** Returns the owner that responses name: `guest`, or a tag by which the store's scripts notice another customer. */
export function ownerTag(shopper: Shopper): string {
  if (shopper.owner?.kind !== "customer") return "guest";
  const customer = `${shopper.shopId} ${shopper.owner.id}`;
  const known = ownerTags.get(customer);
  if (known !== undefined) return known;
  const tag = keyed("owner", shopper).toString("base64url").slice(0, 16);
  ownerTags.set(customer, tag);
  return tag;
}

/** Returns a token for a form's hidden field: it proves that the form was rendered for this shopper within a day. */
export function formToken(shopper: Shopper): string {
  const at = nowMs().toString(36);
  return `${at}.${keyed("form", shopper, at).toString("base64url")}`;
}

export function isFormToken(token: string, shopper: Shopper): boolean {
  const [at = "", hash = ""] = token.split(".");
  const age = nowMs() - Number.parseInt(at, 36);
  const given = Buffer.from(hash, "base64url");
  const isMade = appSecrets().some((secret) => {
    const expected = keyed("form", shopper, at, [secret]);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isMade && age >= 0 && age <= FORM_LIFETIME;
}
