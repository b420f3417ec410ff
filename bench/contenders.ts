import { isDeepStrictEqual } from "node:util";
import { setTimeout as pause } from "node:timers/promises";
import type { Dataset } from "./data/dataset.ts";
import { checkpoint, countNewItems, newProducts, removeNewItems, saveNewItems } from "./data/new-items.ts";
import { writingCustomers } from "./data/shape.ts";
import { countActivity } from "./data/unprocessed-activity.ts";
import { CONNECTIONS, requestAt, type AppProxy, type Target, type Workload } from "./load/workload.ts";
import type { Contender } from "./measure/alternate.ts";

/** Faster than any server here: what removals are prepared for as long as nothing is known. */
const REMOVALS_PER_SECOND = 20_000;
/** Later rounds are prepared for this many times the fastest one so far, and for no fewer than half of the above. */
const RESERVE = 2;
/** A server may still be at the last requests when the load has ended. */
const SETTLE_MS = 300;

async function firstAnswer({ url, token }: Target, workload: Workload): Promise<string> {
  const { method, path, body } = requestAt(workload, 0);
  const headers: Record<string, string> = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  const answer = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return text;
}

/**
 * Reads pages of 20. All answers to one workload have the same length, which tells whether they were complete.
 * @param proxy reads through this store's app proxy, not under /v1
 */
export async function reader(
  name: string,
  target: Target,
  customers: readonly string[],
  proxy?: AppProxy,
): Promise<Contender> {
  const page = { kind: proxy ? "proxied" : "page", lag: 0 } as const;
  const workload: Workload = {
    steps: [page],
    readers: customers,
    writers: [],
    firstProduct: 0,
    ...(proxy ? { proxy } : {}),
  };
  const length = Buffer.byteLength(await firstAnswer(target, workload));
  return {
    name,
    target,
    prepare: () => workload,
    verify(_workload, { requests, bytes }) {
      if (bytes < requests * length) throw new Error(`${name}: ${requests} answers have only ${bytes} bytes`);
    },
  };
}

/** @throws when they do not give the same answer to the same request */
export async function haveSameAnswers(targets: readonly Target[], customers: readonly string[]): Promise<void> {
  const page = { kind: "page", lag: 0 } as const;
  const workload: Workload = { steps: [page], readers: customers, writers: [], firstProduct: 0 };
  const answers = await Promise.all(
    targets.map(async (target): Promise<unknown> => JSON.parse(await firstAnswer(target, workload))),
  );
  if (!answers.every((answer) => isDeepStrictEqual(answer, answers[0]))) {
    throw new Error(`the servers answer differently:\n${answers.map((answer) => JSON.stringify(answer)).join("\n")}`);
  }
}

/** Adds new items. Every request that was answered has stored one row. */
export function adder(name: string, target: Target, dataset: Dataset): Contender {
  const writers = writingCustomers(dataset.shape);
  return {
    name,
    target,
    async prepare() {
      await checkpoint(dataset);
      return { steps: [{ kind: "add", lag: 0 }], readers: [], writers, firstProduct: newProducts() };
    },
    async verify({ firstProduct }, { requests }) {
      await pause(SETTLE_MS);
      const stored = await countNewItems(dataset, firstProduct);
      if (stored < requests || stored > requests + CONNECTIONS) {
        throw new Error(`${name}: ${requests} adds have stored ${stored} items`);
      }
    },
  };
}

/** Products of a shop, coprime to the numbers of writers: a customer and a product don't meet again for millions of additions. */
const CATALOGUE = 19_997;
/** Milliseconds within which the outbox processor must have caught up. */
const CATCH_UP = 5_000;

/**
 * Adds new items out of a catalogue, the same one in every round, and verifies the activity: all of it is `processed` soon after the load, or
 * all of it stays `unprocessed`.
 */
export function catalogueAdder(
  name: string,
  target: Target,
  dataset: Dataset,
  expected: "processed" | "unprocessed",
): Contender {
  const writers = writingCustomers(dataset.shape);
  const firstProduct = newProducts();
  return {
    name,
    target,
    async prepare() {
      await removeNewItems(dataset);
      await checkpoint(dataset);
      return { steps: [{ kind: "add", lag: 0 }], readers: [], writers, firstProduct, products: CATALOGUE };
    },
    async verify(_workload, { requests }) {
      await pause(SETTLE_MS);
      const deadline = performance.now() + CATCH_UP;
      let activity = await countActivity(dataset);
      while (expected === "processed" && activity.unprocessed > 0 && performance.now() < deadline) {
        await pause(20);
        activity = await countActivity(dataset);
      }
      const stored = await countNewItems(dataset, firstProduct);
      const left = expected === "processed" ? 0 : activity.all;
      if (
        stored < requests ||
        stored > requests + CONNECTIONS ||
        activity.all !== stored ||
        activity.unprocessed !== left
      ) {
        const { all, unprocessed } = activity;
        throw new Error(
          `${name}: ${requests} adds have stored ${stored} items and ${all} changes; ${unprocessed} are unprocessed`,
        );
      }
    },
  };
}

/** Contenders that remove items which were saved beforehand. Every request that was answered has removed one row. */
export function removers(dataset: Dataset): (name: string, target: Target) => Contender {
  const writers = writingCustomers(dataset.shape);
  let prepared = 0;
  let fastest: number | undefined;
  return (name, target) => ({
    name,
    target,
    async prepare(seconds) {
      const firstProduct = newProducts();
      prepared = Math.ceil(
        seconds * (fastest === undefined ? REMOVALS_PER_SECOND : Math.max(fastest * RESERVE, REMOVALS_PER_SECOND / 2)),
      );
      await removeNewItems(dataset);
      await saveNewItems(dataset, firstProduct, prepared);
      await checkpoint(dataset);
      return { steps: [{ kind: "remove", lag: 0 }], readers: [], writers, firstProduct };
    },
    async verify({ firstProduct }, { requests, seconds }) {
      await pause(SETTLE_MS);
      const removed = prepared - (await countNewItems(dataset, firstProduct));
      if (removed < requests || removed > requests + CONNECTIONS) {
        throw new Error(`${name}: ${requests} removals have removed ${removed} of ${prepared} items`);
      }
      fastest = Math.max(fastest ?? 0, requests / seconds);
    },
  });
}

/** What a shop's day looks like, at full speed: eight pages, an add and a removal of what was just added. */
export function mixedWorkload(dataset: Dataset, readers: readonly string[]): Workload {
  const pages = Array.from({ length: 8 }, () => ({ kind: "page", lag: 0 }) as const);
  return {
    steps: [...pages, { kind: "add", lag: 0 }, { kind: "remove", lag: 1 }],
    readers,
    writers: writingCustomers(dataset.shape),
    firstProduct: newProducts(),
  };
}
