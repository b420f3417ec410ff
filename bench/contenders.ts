import { isDeepStrictEqual } from "node:util";
import { setTimeout as pause } from "node:timers/promises";
import type { Dataset } from "./data/dataset.ts";
import { checkpoint, countNewItems, newProducts, removeNewItems, saveNewItems } from "./data/new-items.ts";
import { writingCustomers } from "./data/shape.ts";
import { countActivity } from "./data/unprocessed-activity.ts";
import { BATCH, CONNECTIONS, requestAt, type AppProxy, type Target, type Workload } from "./load/workload.ts";
import type { Contender } from "./measure/alternate.ts";

/** Items prepared for removal per second of the first round: more than any server here removes. */
const MAX_REMOVALS_PER_SECOND = 20_000;
/** Later rounds prepare this multiple of the fastest rate so far, and at least half of the maximum. */
const RESERVE = 2;
/** A server may still process the last requests when the load has ended. */
const LAST_REQUESTS_MS = 300;

async function firstResponse({ url, token }: Target, workload: Workload): Promise<string> {
  const { method, path, body } = requestAt(workload, 0);
  const headers: Record<string, string> = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} responded with ${response.status}: ${text}`);
  return text;
}

/**
 * Reads pages of 20. All responses to one workload have the same length, so their bytes show whether they were complete.
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
  const length = Buffer.byteLength(await firstResponse(target, workload));
  return {
    name,
    target,
    prepare: () => workload,
    verify(_workload, { requests, bytes }) {
      if (bytes < requests * length) throw new Error(`${name}: ${requests} responses have only ${bytes} bytes`);
    },
  };
}

/** @throws when the servers respond differently to the same request */
export async function assertSameResponses(targets: readonly Target[], customers: readonly string[]): Promise<void> {
  const page = { kind: "page", lag: 0 } as const;
  const workload: Workload = { steps: [page], readers: customers, writers: [], firstProduct: 0 };
  const responses = await Promise.all(
    targets.map(async (target): Promise<unknown> => JSON.parse(await firstResponse(target, workload))),
  );
  if (!responses.every((response) => isDeepStrictEqual(response, responses[0]))) {
    throw new Error(
      `the servers respond differently:\n${responses.map((response) => JSON.stringify(response)).join("\n")}`,
    );
  }
}

/** Adds new items, one by one or in batches, and verifies that every successful request has stored its rows. */
export function adder(name: string, target: Target, dataset: Dataset, kind: "add" | "batch" = "add"): Contender {
  const writers = writingCustomers(dataset.shape);
  const each = kind === "batch" ? BATCH : 1;
  return {
    name,
    target,
    async prepare() {
      await checkpoint(dataset);
      return { steps: [{ kind, lag: 0 }], readers: [], writers, firstProduct: newProducts() };
    },
    async verify({ firstProduct }, { requests }) {
      await pause(LAST_REQUESTS_MS);
      const stored = await countNewItems(dataset, firstProduct);
      if (stored < requests * each || stored > (requests + CONNECTIONS) * each) {
        throw new Error(`${name}: ${requests} requests have stored ${stored} items`);
      }
    },
  };
}

/** Products of a shop, coprime to the numbers of writers: a customer and a product don't meet again for millions of additions. */
const CATALOG_SIZE = 19_997;
/** Limit for the outbox processor to catch up. */
const CATCH_UP_MS = 5_000;

/**
 * Adds new items out of a fixed set of products, the same one in every round, and verifies the activity: all of it is `processed` soon after the load, or
 * all of it stays `unprocessed`.
 */
export function catalogAdder(
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
      return { steps: [{ kind: "add", lag: 0 }], readers: [], writers, firstProduct, products: CATALOG_SIZE };
    },
    async verify(_workload, { requests }) {
      await pause(LAST_REQUESTS_MS);
      const deadline = performance.now() + CATCH_UP_MS;
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

/** Makes contenders that remove previously saved items, and verifies that every successful request has removed one row. */
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
        seconds *
          (fastest === undefined ? MAX_REMOVALS_PER_SECOND : Math.max(fastest * RESERVE, MAX_REMOVALS_PER_SECOND / 2)),
      );
      await removeNewItems(dataset);
      await saveNewItems(dataset, firstProduct, prepared);
      await checkpoint(dataset);
      return { steps: [{ kind: "remove", lag: 0 }], readers: [], writers, firstProduct };
    },
    async verify({ firstProduct }, { requests, seconds }) {
      await pause(LAST_REQUESTS_MS);
      const removed = prepared - (await countNewItems(dataset, firstProduct));
      if (removed < requests || removed > requests + CONNECTIONS) {
        throw new Error(`${name}: ${requests} removals have removed ${removed} of ${prepared} items`);
      }
      fastest = Math.max(fastest ?? 0, requests / seconds);
    },
  });
}

/** Returns a typical mix of requests: eight pages, an add, and a removal of the added item. */
export function mixedWorkload(dataset: Dataset, readers: readonly string[]): Workload {
  const pages = Array.from({ length: 8 }, () => ({ kind: "page", lag: 0 }) as const);
  return {
    steps: [...pages, { kind: "add", lag: 0 }, { kind: "remove", lag: 1 }],
    readers,
    writers: writingCustomers(dataset.shape),
    firstProduct: newProducts(),
  };
}
