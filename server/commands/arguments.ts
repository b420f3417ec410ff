import { InvalidArgumentError, Option } from "commander";
import { ALL_SCOPES, isKeyId, isScope, type Scope } from "../../app/access/index.server.ts";
import { planSchema } from "../../app/billing/index.server.ts";
import { shopDomainSchema } from "../../app/shops/index.server.ts";
import { timeZoneSchema } from "../../app/settings/index.server.ts";
import { PROGRAM } from "./run.ts";

/** How the arguments of the command line are read. What can't be read is a usage error. */

export function domain(text: string): string {
  const parsed = shopDomainSchema.safeParse(text);
  if (!parsed.success) throw new InvalidArgumentError("It is not a host name such as my-shop.myshopify.com.");
  return parsed.data;
}

const STORE_DOMAIN = /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/;

/** The domain of a shop that is to be created. */
export function newDomain(text: string): string {
  const name = domain(text);
  if (!STORE_DOMAIN.test(name))
    throw new InvalidArgumentError(
      "A shop is known by its address at Shopify, such as my-shop.myshopify.com; the Shopify admin shows it under Settings > Domains.",
    );
  return name;
}

export function timeZone(text: string): string {
  // An offset has no summer time, and PostgreSQL reads its sign the other way round.
  if (/^[+-]/.test(text) || !timeZoneSchema.safeParse(text).success)
    throw new InvalidArgumentError("It is not an IANA time zone such as Europe/Berlin.");
  return text;
}

const NAME_MAX = 100;

export function keyName(text: string): string {
  const name = text.trim();
  if (name === "" || name.length > NAME_MAX)
    throw new InvalidArgumentError(`A name has 1 to ${NAME_MAX} characters, this one ${name.length}.`);
  if (/\p{Cc}/u.test(name)) throw new InvalidArgumentError("A name has no line breaks or other control characters.");
  return name;
}

export function keyId(text: string): string {
  if (text.startsWith("wls_")) throw new InvalidArgumentError("It is a secret. A key's id begins with wlk_.");
  if (!isKeyId(text))
    throw new InvalidArgumentError(
      `It is mistyped or cut off. \`${PROGRAM} keys list --shop <domain>\` shows a shop's keys.`,
    );
  return text;
}

export function encryptionKeyId(text: string): string {
  // What stands here may be a secret by mistake, so it is not repeated.
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(text))
    throw new InvalidArgumentError("It is not the id of an encryption key, which is the part before the colon.");
  return text;
}

export function scopes(text: string): Scope[] {
  if (text === "all") return [...ALL_SCOPES];
  const known = `There are ${ALL_SCOPES.join(", ")}, and all for all of them.`;
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.length === 0) throw new InvalidArgumentError(`It names no scope. ${known}`);
  const unknown = names.filter((name) => !isScope(name));
  if (unknown.length > 0) throw new InvalidArgumentError(`Unknown: ${unknown.join(", ")}. ${known}`);
  return [...new Set(names.filter(isScope))];
}

const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90d`, `24h`, `30m`, `0`: milliseconds. */
export function duration(text: string): number {
  if (text === "0") return 0;
  const [, amount, unit] = /^(\d{1,5})([smhd])$/.exec(text) ?? [];
  const factor = UNITS[unit ?? ""];
  if (factor === undefined) throw new InvalidArgumentError("Write it as 30m, 24h or 90d.");
  return Number(amount) * factor;
}

/** The same, for something that must not be over at once. */
export function lifetime(text: string): number {
  const milliseconds = duration(text);
  if (milliseconds === 0) throw new InvalidArgumentError("The key would never work. Write it as 30m, 24h or 90d.");
  return milliseconds;
}

export const jsonOption = () => new Option("--json", "print JSON for scripts");

export const shopOption = () =>
  new Option("--shop <domain>", "the shop's domain").argParser(domain).makeOptionMandatory();

export const planOption = () => new Option("--plan <plan>", "its plan").choices(planSchema.options);
