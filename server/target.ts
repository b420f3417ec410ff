/** visible ASCII without `#` and `\` */
const TARGET = /^[!"$-[\]-~]+$/;
/** `.` or `..` as a segment, however escaped: URL parsers resolve it, so one path would pass for another. */
const DOT_SEGMENT = /(^|\/)(\.|%2e){1,2}(\/|$)/i;

// Nearly every request names the same host.
let lastHost = "";

/** Is it a host as clients send it, with an optional port (RFC 9110 §7.2)? None at all is not the question here. */
export function isHost(host: string): boolean {
  if (host === lastHost) return host !== "";
  const valid = URL.parse(`http://${host}`)?.hostname === host.replace(/:\d*$/, "").toLowerCase();
  if (valid) lastHost = host;
  return valid;
}

/** Path and query of a request's target, or undefined when no client of ours would send it. */
export function cleanTarget(target: string): string | undefined {
  // A proxy's form of the target: scheme and host are not ours to interpret.
  const relative = target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]*/i, "");
  if (!relative.startsWith("/") || !TARGET.test(relative)) return undefined;
  const mark = relative.indexOf("?");
  const path = mark < 0 ? relative : relative.slice(0, mark);
  return DOT_SEGMENT.test(path) ? undefined : relative;
}

/**
 * The same target with escapes that can be decoded. About others Remix complains on standard error and quotes the path, which may hold a
 * share token; no page of ours has such a path.
 */
export function decodable(target: string): string {
  if (!target.includes("%")) return target;
  try {
    decodeURI(target);
    return target;
  } catch {
    return target.replaceAll("%", "%25");
  }
}
