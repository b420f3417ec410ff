// Measures `authenticate` of app/access in a separate process: many requests with 200 tokens, including their first verifications, and
// with the key states in memory as in a running server; in turns with tokens of a key with a secret and with shoppers' tokens of a publishable key.
// Prints {"microseconds":…,"shoppers":…} per request.
import {
  authenticate,
  authenticateKey,
  authenticatePublishableKey,
  createPublishableKey,
  issueStorefrontToken,
  issueToken,
  watchKeyStates,
} from "../app/access/index.server.ts";
import { closeDatabase } from "../app/platform/database/database.server.ts";
import { provideEnv } from "../app/platform/process/env.server.ts";
import { Failure } from "../app/platform/failure.ts";
import { transaction } from "../app/platform/database/transaction.server.ts";
import { stopAll } from "../app/platform/process/lifecycle.server.ts";

const TOKENS = 200;
const TURNS = 10;
const ORIGIN = "https://www.shop.example";
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

const { shopId } = key;
const created = await transaction(shopId, (tx) =>
  createPublishableKey(tx, { shopId, name: "Benchmark", allowedOrigins: [ORIGIN] }),
);
if (created instanceof Failure) throw new Error(created.message);
const publishable = await authenticatePublishableKey(created.keyId, ORIGIN);
if (publishable instanceof Failure) throw new Error(publishable.message);

const ofKey: string[] = [];
const ofShoppers: string[] = [];
for (let i = 0; i < TOKENS; i++) {
  const token = await issueToken(key, { scopes: undefined, customerId: undefined });
  if (token instanceof Failure) throw new Error(token.message);
  ofKey.push(`Bearer ${token}`);
  const owner = { kind: i % 2 === 0 ? ("guest" as const) : ("customer" as const), id: `shopper-${i}` };
  ofShoppers.push(`Bearer ${(await issueStorefrontToken(publishable, owner)).token}`);
}

/** @returns milliseconds */
async function verify(headers: readonly string[]): Promise<number> {
  const started = performance.now();
  for (let i = 0; i < requests / TURNS; i++) {
    const principal = await authenticate(headers[(i * 7919) % TOKENS] ?? null);
    if (principal instanceof Failure) throw new Error(principal.message);
    if (i % REQUESTS_PER_YIELD === 0) await new Promise(setImmediate);
  }
  return performance.now() - started;
}

let [keys, shoppers] = [0, 0];
for (let turn = 0; turn < TURNS; turn++) {
  keys += await verify(ofKey);
  shoppers += await verify(ofShoppers);
}

process.stdout.write(
  `${JSON.stringify({ microseconds: (keys * 1_000) / requests, shoppers: (shoppers * 1_000) / requests })}\n`,
);
await stopAll();
await closeDatabase();
