import { InvalidArgumentError, Option } from "commander";
import { ALL_SCOPES, isKeyId, isScope, originsSchema, type Scope } from "../../app/access/index.server.ts";
import { planSchema } from "../../app/billing/index.server.ts";
import { shopDomainSchema } from "../../app/shops/index.server.ts";
import { timeZoneSchema } from "../../app/settings/index.server.ts";
import { PROGRAM } from "../program-name.ts";

/** Parsers of command-line arguments. An invalid argument is a usage error. */

export function parseDomain(text: string): string {
  const parsed = shopDomainSchema.safeParse(text);
  if (!parsed.success) throw new InvalidArgumentError("Write a host name such as my-shop.myshopify.com.");
  return parsed.data;
}

const STORE_DOMAIN = /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/;

/** Parses the domain of a new shop. */
export function parseNewDomain(text: string): string {
  const name = parseDomain(text);
  if (!STORE_DOMAIN.test(name))
    throw new InvalidArgumentError(
      "Write the shop's domain at Shopify, such as my-shop.myshopify.com; the Shopify admin shows it under Settings > Domains.",
    );
  return name;
}

export function parseTimeZone(text: string): string {
  // Offsets have no summer time, and PostgreSQL inverts their sign.
  if (/^[+-]/.test(text) || !timeZoneSchema.safeParse(text).success)
    throw new InvalidArgumentError("Write an IANA time zone such as Europe/Berlin.");
  return text;
}

const NAME_MAX = 100;

export function parseKeyName(text: string): string {
  const name = text.trim();
  if (name === "" || name.length > NAME_MAX)
    throw new InvalidArgumentError(`Write a name of 1 to ${NAME_MAX} characters; this one has ${name.length}.`);
  if (/\p{Cc}/u.test(name))
    throw new InvalidArgumentError("Write a name without line breaks and other control characters.");
  return name;
}

export function parseKeyId(text: string): string {
  if (text.startsWith("wls_"))
    throw new InvalidArgumentError("This is a secret. Write the key's id, which begins with wlk_.");
  if (!isKeyId(text))
    throw new InvalidArgumentError(
      `The key id is mistyped or incomplete. \`${PROGRAM} keys list --shop <domain>\` lists a shop's keys.`,
    );
  return text;
}

export function parseEncryptionKeyId(text: string): string {
  // The message does not repeat the argument, which may be a secret by mistake.
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(text))
    throw new InvalidArgumentError("Write the id of an encryption key, which is the part before the colon.");
  return text;
}

export function parseScopes(text: string): Scope[] {
  if (text === "all") return [...ALL_SCOPES];
  const validScopes = `Valid scopes: ${ALL_SCOPES.join(", ")}; all selects every scope.`;
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.length === 0) throw new InvalidArgumentError(`The list is empty. ${validScopes}`);
  const unknown = names.filter((name) => !isScope(name));
  if (unknown.length > 0) throw new InvalidArgumentError(`Unknown scopes: ${unknown.join(", ")}. ${validScopes}`);
  return [...new Set(names.filter(isScope))];
}

/** Parses the origins of a publishable key, separated by commas. */
export function parseOrigins(text: string): string[] {
  const parsed = originsSchema.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError(parsed.error.issues[0]?.message ?? "");
}

const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses `90d`, `24h`, `30m` or `0` into milliseconds. */
export function parseDuration(text: string): number {
  if (text === "0") return 0;
  const [, amount, unit] = /^(\d{1,5})([smhd])$/.exec(text) ?? [];
  const factor = UNITS[unit ?? ""];
  if (factor === undefined) throw new InvalidArgumentError("Write it as 30m, 24h or 90d.");
  return Number(amount) * factor;
}

/** Parses a duration that must not be 0. */
export function parseLifetime(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === 0)
    throw new InvalidArgumentError("The key would expire immediately. Write it as 30m, 24h or 90d.");
  return milliseconds;
}

export function parseChangeId(text: string): string {
  if (!/^\d{1,18}$/.test(text)) throw new InvalidArgumentError("Write the id of a change, which is a number.");
  return text;
}

export const jsonOption = () => new Option("--json", "print JSON for scripts");

export const shopOption = () =>
  new Option("--shop <domain>", "the shop's domain").argParser(parseDomain).makeOptionMandatory();

export const planOption = () => new Option("--plan <plan>", "the shop's plan").choices(planSchema.options);
