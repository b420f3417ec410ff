import { setExpectedTime } from "../clock.server.ts";
import { runOne, statement } from "../database/database.server.ts";
import { log } from "../log/log.server.ts";
import { gauge } from "../metrics/metrics.server.ts";
import { onShutdown } from "./lifecycle.server.ts";

/** Milliseconds between two comparisons with PostgreSQL's clock. */
const INTERVAL = 10_000;
/** Milliseconds for a comparison, above which its result is too inexact. */
const LONGEST = 500;
/** Milliseconds from which on a difference is reported. */
const REPORTED = 1_000;

const clockStatement = statement<{ ms: number }>(
  "clock",
  "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms",
);

let isWrong = false;
/** milliseconds by which this machine's clock is ahead; undefined before the first comparison */
let lastDifference: number | undefined;

gauge(
  "clock_difference_seconds",
  "Time by which the machine's clock is ahead of PostgreSQL's, which replaces it beyond a second",
  undefined,
  () => (lastDifference === undefined ? undefined : [{ labels: {}, value: lastDifference / 1_000 }]),
);

/** Takes the time of PostgreSQL, on which all processes agree, as the expected time. */
async function compareClocks(): Promise<void> {
  const started = performance.now();
  const { ms } = await runOne(clockStatement, []);
  const taken = performance.now() - started;
  if (taken > LONGEST) return;
  const difference = setExpectedTime(ms + taken / 2);
  lastDifference = difference;
  const wrong = Math.abs(difference) > REPORTED;
  if (wrong && !isWrong)
    log.warn({ ms: Math.round(difference) }, "this machine's clock differs from PostgreSQL's, which is used");
  if (!wrong && isWrong) log.info({}, "this machine's clock is right again");
  isWrong = wrong;
}

/** Corrects this process's time by PostgreSQL's, now and regularly: a token, signature or limit by a wrong clock would be refused elsewhere. */
export async function startClockCheck(): Promise<void> {
  // An unreachable database leaves the time as it is.
  const compare = (): Promise<void> => compareClocks().catch(() => undefined);
  const timer = setInterval(() => void compare(), INTERVAL).unref();
  onShutdown("clock check", () => {
    clearInterval(timer);
    return Promise.resolve();
  });
  await compare();
}
