import type { Prisma } from "@prisma/client";
import { z } from "zod";
import { idempotencyLock } from "../platform/advisory-locks.server.ts";
import { now } from "../platform/clock.server.ts";
import { seal, sha256, unseal } from "../platform/crypto.server.ts";
import { prisma, shopTransaction } from "../platform/database.server.ts";
import { Failure, FAILURE_STATUS, type FailureCode } from "../platform/failure.ts";
import type { SealedColumn } from "../platform/sealed-columns.server.ts";
import type { Success } from "./answer.server.ts";
import type { Call } from "./endpoint.server.ts";

/** Milliseconds for which the first answer is kept. */
const KEPT = 24 * 3_600_000;
/** Seconds after which a request that is under way should have ended. */
const RETRY_AFTER = 1;
/** An answer can hold a secret that is shown once. */
const SEAL_PURPOSE = "idempotent_answer";

export const SEALED_ANSWERS: SealedColumn = {
  holds: "idempotent responses",
  table: "idempotent_answer",
  column: "answer_sealed",
  byShop: true,
  key: { key_id: "text", key: "text" },
  purpose: () => SEAL_PURPOSE,
};

const answerSchema = z.union([
  z.object({ json: z.string() }),
  z.object({
    code: z.custom<FailureCode>((code) => typeof code === "string" && code in FAILURE_STATUS),
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
interface Place {
  shopId: number;
  keyId: string;
  key: string;
}

/** Until the transaction's end nobody else gets it. @returns false when somebody has it */
async function lock(tx: Prisma.TransactionClient, { shopId, keyId, key }: Place): Promise<boolean> {
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
export async function once<Data>(
  call: Pick<
    Call<Omit<Place, "key">, unknown, unknown, unknown>,
    "who" | "params" | "query" | "body" | "idempotencyKey"
  >,
  operation: string,
  work: (tx: Prisma.TransactionClient) => Promise<Data | Failure>,
): Promise<Success<Data> | Failure> {
  const { who, params, query, body, idempotencyKey: key } = call;
  return shopTransaction(who.shopId, async (tx): Promise<Success<Data> | Failure> => {
    if (key === undefined) return toAnswer(await work(tx));

    const place = { shopId: who.shopId, keyId: who.keyId, key };
    if (!(await lock(tx, place))) {
      return new Failure(
        "request_in_progress",
        "A request with this Idempotency-Key is under way. Repeat it in a moment to get its answer.",
        { retryAfter: RETRY_AFTER },
      );
    }
    const at = now();
    const fingerprint = new Uint8Array(sha256(JSON.stringify([operation, params, query, body])));
    const first = await tx.idempotentAnswer.findUnique({
      where: { shopId_keyId_key: place, createdAt: { gt: new Date(at.getTime() - KEPT) } },
    });
    if (first) {
      if (Buffer.compare(first.fingerprint, fingerprint) === 0) return reopen(first.answerSealed);
      return new Failure(
        "idempotency_mismatch",
        "This Idempotency-Key was used for another request. Make a new key for each request.",
      );
    }
    const answer = toAnswer(await work(tx));
    const kept = { fingerprint, answerSealed: seal(JSON.stringify(answer), SEAL_PURPOSE), createdAt: at };
    await tx.idempotentAnswer.upsert({
      where: { shopId_keyId_key: place },
      create: { ...place, ...kept },
      update: kept,
    });
    return answer;
  });
}

function toAnswer(result: unknown): { json: string } | Failure {
  return result instanceof Failure ? result : { json: JSON.stringify(result) };
}

function reopen(sealed: string): { json: string } | Failure {
  const answer = answerSchema.parse(JSON.parse(unseal(sealed, SEAL_PURPOSE)));
  if ("json" in answer) return answer;
  const { code, message, ...more } = answer;
  return new Failure(code, message, more);
}

/** Drops a shop's answers from before a moment. */
export async function dropOldAnswers(shopId: number, before: Date): Promise<void> {
  await prisma().idempotentAnswer.deleteMany({ where: { shopId, createdAt: { lt: before } } });
}
