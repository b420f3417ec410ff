// `npm run check`: runs every `check:…` script of package.json. Arguments select checks: `npm run check -- lint names`.
import { performance } from "node:perf_hooks";
import { CHECKS, runChecks, secondsSince } from "./checks.ts";

const named = process.argv.slice(2);
const unknown = named.filter((name) => !CHECKS.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`Unknown checks: ${unknown.join(", ")}. Available checks: ${CHECKS.join(", ")}.\n`);
  process.exit(2);
}
process.once("SIGTERM", () => process.exit(143));
const checks = named.length > 0 ? named : CHECKS;
const start = performance.now();
const failed = await runChecks(checks);
const verdict =
  failed.length === 0
    ? "All checks passed"
    : `${failed.length} of ${checks.length} checks failed (${failed.join(", ")})`;
process.stdout.write(`${verdict} in ${secondsSince(start)}.\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
