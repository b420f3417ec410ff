import { createHmac, timingSafeEqual } from "node:crypto";
import { LRUCache } from "lru-cache";
import { nowMs } from "../platform/clock.server.ts";
import { secrets } from "../platform/env.server.ts";
import type { Shopper } from "./identity.server.ts";

/** Milliseconds for which a form can be sent after its page was made. */
const FORM_LIFETIME = 24 * 3_600_000;

const keys = new Map<string, Buffer>();

/** A key of a purpose of its own, made of the app's secret. */
function keyFor(purpose: "owner" | "form"): Buffer {
  const { shopifyApiSecret = "" } = secrets();
  const known = keys.get(purpose);
  if (known) return known;
  const made = createHmac("sha256", shopifyApiSecret).update(`wishlist ${purpose}`).digest();
  keys.set(purpose, made);
  return made;
}

/** A keyed hash of a shopper for one purpose: it tells nothing about them, and nobody else can make it. */
function keyed(purpose: "owner" | "form", { shopId, customerId = "" }: Shopper, more = ""): Buffer {
  return createHmac("sha256", keyFor(purpose)).update(`${shopId} ${customerId} ${more}`).digest();
}

// A shopper's page asks several times.
const ownerTags = new LRUCache<string, string>({ max: 10_000 });

/** Who the store's scripts take the answer to be for: `guest`, or a tag by which they notice that it is another customer than before. */
export function ownerTag(shopper: Shopper): string {
  if (shopper.customerId === undefined) return "guest";
  const who = `${shopper.shopId} ${shopper.customerId}`;
  const known = ownerTags.get(who);
  if (known !== undefined) return known;
  const tag = keyed("owner", shopper).toString("base64url").slice(0, 16);
  ownerTags.set(who, tag);
  return tag;
}

/** For a form's hidden field: shows that the form was made for this shopper, a day ago at most. */
export function formToken(shopper: Shopper): string {
  const at = nowMs().toString(36);
  return `${at}.${keyed("form", shopper, at).toString("base64url")}`;
}

export function isFormToken(token: string, shopper: Shopper): boolean {
  const [at = "", hash = ""] = token.split(".");
  const age = nowMs() - Number.parseInt(at, 36);
  const given = Buffer.from(hash, "base64url");
  const expected = keyed("form", shopper, at);
  return given.length === expected.length && timingSafeEqual(given, expected) && age >= 0 && age <= FORM_LIFETIME;
}
