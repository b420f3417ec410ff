const VISIBLE_ASCII = /^[\x21-\x7e]+$/;
/** `.` or `..` as a segment, however escaped: URL parsers resolve it, so one path would pass for another. */
const DOT_SEGMENT = /(^|\/)(\.|%2e){1,2}(\/|$)/i;

/** Path and query of a request's target, or undefined when no client of ours would send it. */
export function cleanTarget(target: string): string | undefined {
  // A proxy's form of the target: scheme and host are not ours to interpret.
  const relative = target.replace(/^https?:\/\/[^/?#]*/i, "");
  if (!relative.startsWith("/") || !VISIBLE_ASCII.test(relative) || /[\\#]/.test(relative)) return undefined;
  const mark = relative.indexOf("?");
  const path = mark < 0 ? relative : relative.slice(0, mark);
  return DOT_SEGMENT.test(path) ? undefined : relative;
}
