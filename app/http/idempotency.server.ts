import type { Prisma } from "@prisma/client";
import { z } from "zod";
import { idempotencyLock } from "../platform/database/advisory-locks.server.ts";
import { now } from "../platform/clock.server.ts";
import { seal, sha256, unseal } from "../platform/encryption/crypto.server.ts";
import { purge } from "../platform/jobs/retention.server.ts";
import { executionIn, SINGLE, transaction, type Execution } from "../platform/database/transaction.server.ts";
import { COMMON_FAILURES, Failure, type FailureCode } from "../platform/failure.ts";
import { idempotencySpaceOf } from "../access/index.server.ts";
import { ME, type KeptForm, type Owner } from "../wishlists/index.server.ts";
import type { SealedColumn } from "../platform/encryption/sealed-columns.server.ts";
import { isFailureCode } from "./failure-registry.ts";
import { HTTP_FAILURES } from "./failures.ts";
import type { SuccessResult } from "./response.server.ts";
import type { Call } from "./endpoint.server.ts";

/** Milliseconds for which the first response is kept. */
const RETENTION_MS = 24 * 3_600_000;
/** Responses of a shopper that are kept. Repetitions follow within minutes. */
const MAX_OF_SHOPPER = 100;
/** Seconds after which a request in progress should have finished. */
const RETRY_AFTER = 1;
/** Responses are encrypted, because one can contain a secret that is shown only once. */
const SEAL_PURPOSE = "idempotent_response";

export const SEALED_RESPONSES: SealedColumn = {
  holds: "idempotent responses",
  table: "idempotent_response",
  column: "response_sealed",
  byShop: true,
  key: { key_id: "text", key: "text" },
  purpose: () => SEAL_PURPOSE,
};

const storedResponseSchema = z.union([
  z.object({ json: z.string() }),
  z.object({ kept: z.unknown() }),
  z.object({
    code: z.custom<FailureCode>(isFailureCode),
    message: z.string(),
    details: z
      .union([
        z.array(z.object({ path: z.string(), problem: z.string() })),
        z.record(z.string(), z.union([z.string(), z.number()])),
      ])
      .exactOptional(),
  }),
]);

/** An idempotency key. Each API key has its own key space, and each shopper to whom its tokens are bound. */
interface KeyReference {
  shopId: number;
  keyId: string;
  key: string;
}

/** Locks a key until the end of the transaction. @returns false when another transaction holds the lock */
async function tryLock(tx: Prisma.TransactionClient, { shopId, keyId, key }: KeyReference): Promise<boolean> {
  const id = idempotencyLock(shopId, keyId, key);
  const [row] = await tx.$queryRaw<{ locked: boolean }[]>`SELECT pg_try_advisory_xact_lock(${id}) AS locked`;
  return row?.locked === true;
}

/** Returns the parameters of a path with the shopper's id in place of `me`: both name the same lists. */
function withCustomer(params: unknown, owner: Owner | undefined): unknown {
  if (owner === undefined || typeof params !== "object" || params === null) return params;
  return "customerId" in params && params.customerId === ME ? { ...params, customerId: owner.id } : params;
}

/** Returns whose lists a request is about: the shopper to whom the token is bound, or the customer of the path. */
function ownerOf(params: unknown, owner: Owner | undefined): Pick<Owner, "kind" | "id"> | undefined {
  if (owner !== undefined || typeof params !== "object" || params === null) return owner;
  return "customerId" in params && typeof params.customerId === "string"
    ? { kind: "customer", id: params.customerId }
    : undefined;
}

type IdempotentCall<Body> = Pick<
  Call<{ shopId: number; client: { id: string }; owner: Owner | undefined }, unknown, unknown, Body>,
  "caller" | "params" | "query" | "body" | "idempotencyKey"
>;

/**
 * Runs a change in one transaction. With an `Idempotency-Key`, a repeated request within 24 hours returns the first response, which is
 * stored in the same transaction. Failures are stored as well, unless they tell when to try again; a thrown error stores nothing. What a shopper can
 * store is bounded: the last 100 responses, of requests that changed something.
 * @param operation distinguishes operations that are called with the same key
 * @param work must change nothing when it returns a failure
 * @param form how a large response is kept; by default as it is
 */
export async function runIdempotently<Data, Body>(
  call: IdempotentCall<Body>,
  operation: string,
  work: (tx: Prisma.TransactionClient) => Promise<Data | Failure>,
  form?: KeptForm<Data, Body>,
): Promise<SuccessResult<Data> | Failure> {
  const { caller, params, query, body, idempotencyKey: key } = call;
  return transaction(caller.shopId, async (tx): Promise<SuccessResult<Data> | Failure> => {
    if (key === undefined) return toResult(await work(tx));

    const rowKey = { shopId: caller.shopId, keyId: idempotencySpaceOf(caller), key };
    if (!(await tryLock(tx, rowKey))) {
      return new Failure("request_in_progress", COMMON_FAILURES.request_in_progress.message, {
        retryAfter: RETRY_AFTER,
      });
    }
    const at = now();
    const fingerprint = new Uint8Array(
      sha256(JSON.stringify([operation, withCustomer(params, caller.owner), query, body])),
    );
    const first = await tx.idempotentResponse.findUnique({
      where: { shopId_keyId_key: rowKey, createdAt: { gt: new Date(at.getTime() - RETENTION_MS) } },
    });
    if (first) {
      if (Buffer.compare(first.fingerprint, fingerprint) !== 0) {
        return new Failure("idempotency_mismatch", HTTP_FAILURES.idempotency_mismatch.message);
      }
      return unsealResult(first.responseSealed, (kept) => form?.restore(kept, body));
    }
    const data = await work(tx);
    const result = toResult(data);
    // A refusal for the moment: the client repeats the request with the same key after `Retry-After`.
    if (result instanceof Failure && result.retryAfter !== undefined) return result;
    const kept = form && !(data instanceof Failure) ? form.toKeep(data, body) : undefined;
    const isOfShopper = caller.owner !== undefined;
    const hasNoEffect = data instanceof Failure || (form !== undefined && kept === undefined);
    if (isOfShopper && hasNoEffect) return result;
    const stored = kept === undefined ? result : { kept };
    const owner = ownerOf(params, caller.owner);
    const row = {
      fingerprint,
      responseSealed: seal(JSON.stringify(stored), SEAL_PURPOSE),
      createdAt: at,
      ownerKind: owner?.kind ?? null,
      ownerId: owner?.id ?? null,
    };
    await tx.idempotentResponse.upsert({
      where: { shopId_keyId_key: rowKey },
      create: { ...rowKey, ...row },
      update: row,
    });
    if (isOfShopper) await deleteSurplus(tx, rowKey);
    return result;
  });
}

/** Deletes the responses of a shopper before the last ones. */
async function deleteSurplus(tx: Prisma.TransactionClient, { shopId, keyId }: KeyReference): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM idempotent_response
     WHERE shop_id = ${shopId} AND key_id = ${keyId}
       AND key = ANY (ARRAY(SELECT key FROM idempotent_response WHERE shop_id = ${shopId} AND key_id = ${keyId}
                             ORDER BY created_at DESC OFFSET ${MAX_OF_SHOPPER}))`;
}

/**
 * Runs a change that is a single statement. With an `Idempotency-Key` it runs as `runIdempotently` describes; without, no transaction surrounds it.
 * @param work must change nothing when it returns a failure
 */
export async function runOnce<Data, Body>(
  call: IdempotentCall<Body>,
  operation: string,
  work: (execution: Execution) => Promise<Data | Failure>,
  form?: KeptForm<Data, Body>,
): Promise<SuccessResult<Data> | Failure> {
  if (call.idempotencyKey === undefined) return toResult(await work(SINGLE));
  return runIdempotently(call, operation, (tx) => work(executionIn(tx)), form);
}

function toResult(result: unknown): { json: string } | Failure {
  return result instanceof Failure ? result : { json: JSON.stringify(result) };
}

function unsealResult(sealed: string, restore: (kept: unknown) => unknown): { json: string } | Failure {
  const stored = storedResponseSchema.parse(JSON.parse(unseal(sealed, SEAL_PURPOSE)));
  if ("json" in stored) return stored;
  if ("kept" in stored) return toResult(restore(stored.kept));
  const { code, message, ...more } = stored;
  return new Failure(code, message, more);
}

/** Purges a shop's stored responses from before a time. */
export const purgeIdempotentResponses = purge("idempotent_response", { key: "created_at", type: "timestamptz" });
