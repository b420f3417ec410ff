import { z } from "zod";

/** The most origins of a publishable key. */
const MAX_ORIGINS = 20;
const ORIGIN_MAX = 253;

const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
/** A host, or a wildcard for the subdomains of a host that has at least two labels, so that no top-level domain is allowed as a whole. */
const SECURE = new RegExp(
  String.raw`^https://(?:(?:\*\.)(?:${LABEL}\.)+${LABEL}|${LABEL}(?:\.${LABEL})*)(?::\d{1,5})?$`,
);
/** Plain HTTP is for development on the developer's machine. */
const LOCAL = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/** Returns the text with an international host name in ASCII, as browsers send it. */
function withAsciiHost(text: string): string {
  const [, scheme, rest = "", end = ""] = /^(https?:\/\/(?:\*\.)?)([^/:?#@]+)(.*)$/u.exec(text) ?? [];
  if (scheme === undefined || /^\p{ASCII}*$/u.test(text)) return text;
  const address = `https://${rest}`;
  return URL.canParse(address) ? scheme + new URL(address).hostname + end : text;
}

/**
 * Returns an origin as browsers send it in `Origin` (RFC 6454): in lower case, without the scheme's default port and without a path.
 * `https://*.example.com` stands for every subdomain of example.com.
 * @returns undefined for a text that is no origin
 */
export function parseOrigin(text: string): string | undefined {
  const given = withAsciiHost(text.trim().toLowerCase()).replace(/\/$/, "");
  if (given.length > ORIGIN_MAX || !(SECURE.test(given) || LOCAL.test(given))) return undefined;
  const port = /:(\d+)$/.exec(given)?.[1];
  if (port === undefined) return given;
  const standard = given.startsWith("https:") ? 443 : 80;
  if (Number(port) === 0 || Number(port) > 65_535) return undefined;
  return given.slice(0, -port.length - 1) + (Number(port) === standard ? "" : `:${Number(port)}`);
}

/** Tells whether a request's `Origin` is allowed. A request without one is refused. */
export function allowsOrigin(allowed: readonly string[], origin: string | null): boolean {
  if (origin === null) return false;
  return allowed.some((pattern) => {
    const [scheme = "", rest] = pattern.split("*");
    if (rest === undefined) return origin === pattern;
    const middle = origin.slice(scheme.length, -rest.length);
    return (
      origin.startsWith(scheme) &&
      origin.endsWith(rest) &&
      new RegExp(String.raw`^${LABEL}(?:\.${LABEL})*$`).test(middle)
    );
  });
}

/** Refused origins that a message names. */
const NAMED = 5;

function listed(texts: readonly string[]): string {
  const named = texts.slice(0, NAMED);
  const more = texts.length - named.length;
  return new Intl.ListFormat("en").format(more === 0 ? named : [...named, `${more} more`]);
}

/** Origins as they are entered: separated by spaces, commas or line breaks. */
export const originsSchema = z
  .string("Enter at least one origin.")
  .max(MAX_ORIGINS * (ORIGIN_MAX + 2), `Enter at most ${MAX_ORIGINS} origins.`)
  .transform((text, context): string[] => {
    const given = text.split(/[\s,]+/).filter((part) => part !== "");
    const origins = new Set<string>();
    const wrong: string[] = [];
    for (const part of given) {
      const origin = parseOrigin(part);
      if (origin === undefined) wrong.push(part.slice(0, 100));
      else origins.add(origin);
    }
    if (wrong.length > 0) {
      const named = wrong.length > 1 ? `${listed(wrong)} are not origins.` : `${listed(wrong)} is not an origin.`;
      context.addIssue(`${named} Enter a scheme and a host, such as https://www.example.com.`);
      return z.NEVER;
    }
    if (origins.size === 0) context.addIssue("Enter at least one origin.");
    if (origins.size > MAX_ORIGINS) context.addIssue(`Enter at most ${MAX_ORIGINS} origins.`);
    return [...origins];
  });
