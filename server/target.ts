/** visible ASCII without `#` and `\` */
const TARGET = /^[!"$-[\]-~]+$/;
/** `.` or `..` as a segment, however escaped: URL parsers resolve it, so one path would pass for another. */
const DOT_SEGMENT = /(^|\/)(\.|%2e){1,2}(\/|$)/i;

// Nearly every request has the same host, so the last valid one is remembered.
let lastHost = "";

/** Checks a Host header: a host with an optional port (RFC 9110 §7.2). An empty one is invalid. */
export function isHost(host: string): boolean {
  if (host === lastHost) return host !== "";
  const valid = URL.parse(`http://${host}`)?.hostname === host.replace(/:\d*$/, "").toLowerCase();
  if (valid) lastHost = host;
  return valid;
}

/** Returns path and query of a request target, or undefined if the target is malformed. */
export function cleanTarget(target: string): string | undefined {
  // The absolute form of a proxy: scheme and host are ignored.
  const relative = target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]*/i, "");
  if (!relative.startsWith("/") || !TARGET.test(relative)) return undefined;
  const mark = relative.indexOf("?");
  const path = mark < 0 ? relative : relative.slice(0, mark);
  return DOT_SEGMENT.test(path) ? undefined : relative;
}

/**
 * Escapes each % of a target that cannot be decoded. Remix would otherwise log the path, which may contain a share token, on standard
 * error. No route has such a path.
 */
export function escapeUndecodable(target: string): string {
  if (!target.includes("%")) return target;
  try {
    decodeURI(target);
    return target;
  } catch {
    return target.replaceAll("%", "%25");
  }
}
