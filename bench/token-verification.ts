// Measures `authenticate` of app/access in a separate process: many requests with 200 tokens, including their first verifications, and
// with the key states in memory as in a running server. Prints {"microseconds":…} per request.
import { authenticate, authenticateKey, issueToken, watchKeyStates } from "../app/access/index.server.ts";
import { closeDatabase } from "../app/platform/database.server.ts";
import { provideEnv } from "../app/platform/env.server.ts";
import { Failure } from "../app/platform/failure.ts";
import { stopAll } from "../app/platform/lifecycle.server.ts";

const TOKENS = 200;
/** Yields to timers after this many requests, because key states are polled every second. */
const REQUESTS_PER_YIELD = 1_000;

const requests = Number(process.argv[2]);

provideEnv({ DATABASE_POOL_SIZE: "2" });
await watchKeyStates();
const key = await authenticateKey({
  keyId: process.env["BENCH_KEY_ID"] ?? "",
  secret: process.env["BENCH_KEY_SECRET"] ?? "",
});
if (key instanceof Failure) throw new Error(key.message);

const headers: string[] = [];
for (let i = 0; i < TOKENS; i++) {
  const token = await issueToken(key, { scopes: undefined, customerId: undefined });
  if (token instanceof Failure) throw new Error(token.message);
  headers.push(`Bearer ${token}`);
}

const started = performance.now();
for (let i = 0; i < requests; i++) {
  const principal = await authenticate(headers[(i * 7919) % TOKENS] ?? null);
  if (principal instanceof Failure) throw new Error(principal.message);
  if (i % REQUESTS_PER_YIELD === 0) await new Promise(setImmediate);
}
const microseconds = ((performance.now() - started) * 1_000) / requests;

process.stdout.write(`${JSON.stringify({ microseconds })}\n`);
await stopAll();
await closeDatabase();
