import type { Prisma } from "@prisma/client";
import { z } from "zod";
import { idempotencyLock } from "../platform/advisory-locks.server.ts";
import { now } from "../platform/clock.server.ts";
import { seal, sha256, unseal } from "../platform/crypto.server.ts";
import { prisma, shopTransaction } from "../platform/database.server.ts";
import { COMMON_FAILURES, Failure, type FailureCode } from "../platform/failure.ts";
import type { SealedColumn } from "../platform/sealed-columns.server.ts";
import { isFailureCode } from "./failure-registry.ts";
import { HTTP_FAILURES } from "./failures.ts";
import type { SuccessResult } from "./response.server.ts";
import type { Call } from "./endpoint.server.ts";

/** Milliseconds for which the first answer is kept. */
const RETENTION_MS = 24 * 3_600_000;
/** Seconds after which a request that is under way should have ended. */
const RETRY_AFTER = 1;
/** An answer can hold a secret that is shown once. */
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

/** Whose key it is: each API key has its own. */
interface KeyReference {
  shopId: number;
  keyId: string;
  key: string;
}

/** Until the transaction's end nobody else gets it. @returns false when somebody has it */
async function tryLock(tx: Prisma.TransactionClient, { shopId, keyId, key }: KeyReference): Promise<boolean> {
  const id = idempotencyLock(shopId, keyId, key);
  const [row] = await tx.$queryRaw<{ locked: boolean }[]>`SELECT pg_try_advisory_xact_lock(${id}) AS locked`;
  return row?.locked === true;
}

/**
 * Does what a call asks for, in one transaction; with an `Idempotency-Key`, once in a day. Whoever repeats the call gets the first answer
 * again, which is kept in the same transaction: both are there or neither. A refusal is an answer, too; after a throw there is none.
 * @param operation of all that can be asked for with one key
 * @param work must leave everything as it was when it yields a failure
 */
export async function runIdempotently<Data>(
  call: Pick<
    Call<Omit<KeyReference, "key">, unknown, unknown, unknown>,
    "caller" | "params" | "query" | "body" | "idempotencyKey"
  >,
  operation: string,
  work: (tx: Prisma.TransactionClient) => Promise<Data | Failure>,
): Promise<SuccessResult<Data> | Failure> {
  const { caller, params, query, body, idempotencyKey: key } = call;
  return shopTransaction(caller.shopId, async (tx): Promise<SuccessResult<Data> | Failure> => {
    if (key === undefined) return toResult(await work(tx));

    const place = { shopId: caller.shopId, keyId: caller.keyId, key };
    if (!(await tryLock(tx, place))) {
      return new Failure("request_in_progress", COMMON_FAILURES.request_in_progress.message, {
        retryAfter: RETRY_AFTER,
      });
    }
    const at = now();
    const fingerprint = new Uint8Array(sha256(JSON.stringify([operation, params, query, body])));
    const first = await tx.idempotentResponse.findUnique({
      where: { shopId_keyId_key: place, createdAt: { gt: new Date(at.getTime() - RETENTION_MS) } },
    });
    if (first) {
      if (Buffer.compare(first.fingerprint, fingerprint) === 0) return unsealResult(first.responseSealed);
      return new Failure("idempotency_mismatch", HTTP_FAILURES.idempotency_mismatch.message);
    }
    const answer = toResult(await work(tx));
    const kept = { fingerprint, responseSealed: seal(JSON.stringify(answer), SEAL_PURPOSE), createdAt: at };
    await tx.idempotentResponse.upsert({
      where: { shopId_keyId_key: place },
      create: { ...place, ...kept },
      update: kept,
    });
    return answer;
  });
}

function toResult(result: unknown): { json: string } | Failure {
  return result instanceof Failure ? result : { json: JSON.stringify(result) };
}

function unsealResult(sealed: string): { json: string } | Failure {
  const answer = storedResponseSchema.parse(JSON.parse(unseal(sealed, SEAL_PURPOSE)));
  if ("json" in answer) return answer;
  const { code, message, ...more } = answer;
  return new Failure(code, message, more);
}

/** Drops a shop's answers from before a moment. */
export async function purgeIdempotentResponses(shopId: number, before: Date): Promise<void> {
  await prisma().idempotentResponse.deleteMany({ where: { shopId, createdAt: { lt: before } } });
}
