import { InvalidArgumentError, Option } from "commander";
import { ALL_SCOPES, isScope, type Scope } from "../../app/access/index.server.ts";
import { planSchema, shopDomainSchema, timeZoneSchema } from "../../app/shops/index.server.ts";

/** How the arguments of the command line are read. What can't be read is a usage error. */

export function domain(text: string): string {
  const parsed = shopDomainSchema.safeParse(text);
  if (!parsed.success) throw new InvalidArgumentError("it is not a host name such as my-shop.myshopify.com");
  return parsed.data;
}

export function timeZone(text: string): string {
  if (!timeZoneSchema.safeParse(text).success)
    throw new InvalidArgumentError("it is not an IANA time zone such as Europe/Berlin");
  return text;
}

export function keyName(text: string): string {
  const name = text.trim();
  if (name === "" || name.length > 100) throw new InvalidArgumentError("a name has 1 to 100 characters");
  return name;
}

export function scopes(text: string): Scope[] {
  if (text === "all") return [...ALL_SCOPES];
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.filter((name) => !isScope(name));
  if (unknown.length > 0)
    throw new InvalidArgumentError(`unknown: ${unknown.join(", ")}. Known: all, ${ALL_SCOPES.join(", ")}`);
  return [...new Set(names.filter(isScope))];
}

const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90d`, `24h`, `30m`, `0`: milliseconds. */
export function duration(text: string): number {
  if (text === "0") return 0;
  const [, amount, unit] = /^(\d{1,5})([smhd])$/.exec(text) ?? [];
  const factor = UNITS[unit ?? ""];
  if (factor === undefined) throw new InvalidArgumentError("write it as 30m, 24h or 90d");
  return Number(amount) * factor;
}

export const jsonOption = () => new Option("--json", "print JSON for scripts");

export const shopOption = () =>
  new Option("--shop <domain>", "the shop's domain").argParser(domain).makeOptionMandatory();

export const planOption = () => new Option("--plan <plan>", "its plan").choices(planSchema.options);
