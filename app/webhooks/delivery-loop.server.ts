import { setTimeout as after } from "node:timers/promises";
import type { DueEndpoints } from "../activity/index.server.ts";
import { env } from "../platform/env.server.ts";
import { holderId } from "../platform/ids.server.ts";
import { onShutdown } from "../platform/lifecycle.server.ts";
import { log } from "../platform/log.server.ts";
import { onNotification } from "../platform/notifications.server.ts";
import { ConnectionBudget } from "./connection-budget.ts";
import { EndpointWorker } from "./endpoint-worker.server.ts";
import { announce, claimEndpoints, releaseEndpoints, renewLeases, type EndpointKey } from "./queue.server.ts";
import { createSender } from "./send.server.ts";

const CHANNEL = "wishlist_webhooks";
/** Milliseconds between looks for what nobody announced: retries whose time has come, what a dead process left. */
const POLL_MS = 500;
/** Milliseconds between renewals; a lease lasts three times as long. */
const RENEW_MS = 2_000;
/** Endpoints worked on at a time. */
const MAX_WORKERS = 500;
/** Milliseconds without work after which an endpoint is left to whoever comes next. */
const IDLE_MS = 5_000;
/** Milliseconds that the end of the process waits for deliveries that are on their way. */
const DRAIN_MS = 2_000;
/** Milliseconds within which endpoints are announced to other processes in one go. */
const ANNOUNCE_MS = 10;

let wake: (endpoints: readonly EndpointKey[]) => void = announceSoon;

/** To be called when something to deliver has been committed. */
export function wakeDeliveries({ shopId, endpointIds }: DueEndpoints): void {
  wake(endpointIds.map((endpointId) => ({ shopId, endpointId })));
}

const nameOf = ({ shopId, endpointId }: EndpointKey): string => `${shopId}:${endpointId}`;

const unannounced = new Map<string, EndpointKey>();
let announcing: NodeJS.Timeout | undefined;

/** Another process works on them, or will. */
function announceSoon(endpoints: readonly EndpointKey[]): void {
  for (const key of endpoints) unannounced.set(nameOf(key), key);
  announcing ??= setTimeout(() => {
    announcing = undefined;
    // A notification holds 8,000 bytes; polls find the rest.
    const some = [...unannounced.values()].slice(0, 100);
    unannounced.clear();
    announce(CHANNEL, some).catch(() => {
      // The other processes' polls find them.
    });
  }, ANNOUNCE_MS).unref();
}

/** Begins to deliver, for as long as the process runs. */
export function startDeliveries(): void {
  const holder = holderId();
  const sender = createSender({ allowLoopback: env().webhooksAllowLoopback });
  const budget = new ConnectionBudget();
  const workers = new Map<string, EndpointWorker>();
  let claiming: Promise<void> | undefined;
  let claimAgain = false;
  let stopping = false;

  function claim(): Promise<void> {
    if (claiming) claimAgain = true;
    claiming ??= claimAll().finally(() => {
      claiming = undefined;
    });
    return claiming;
  }

  /** Has somebody asked for another look since this was asked last? */
  function asked(): boolean {
    const again = claimAgain;
    claimAgain = false;
    return again;
  }

  async function claimAll(): Promise<void> {
    do {
      try {
        for (const key of await claimEndpoints(holder, MAX_WORKERS)) take(key);
      } catch (error) {
        log.warn({ err: error }, "can't look for webhooks that are due; it is tried again");
      }
    } while (asked() && !stopping);
  }

  function take(key: EndpointKey): void {
    const name = nameOf(key);
    let worker = workers.get(name);
    if (!worker) {
      worker = new EndpointWorker({ key, holder, channel: sender.open(), budget });
      workers.set(name, worker);
    }
    if (stopping) worker.stop();
    worker.wake();
  }

  async function renew(): Promise<void> {
    const held = [...workers.values()].map(({ key }) => key);
    if (held.length === 0) return;
    try {
      const kept = new Set((await renewLeases(holder, held)).map(nameOf));
      for (const key of held) {
        if (kept.has(nameOf(key))) continue;
        // Deleted, or taken over while the database was out of reach.
        workers.get(nameOf(key))?.stop();
        workers.delete(nameOf(key));
      }
      await leaveIdle();
    } catch (error) {
      log.warn({ err: error }, "can't renew the leases of webhooks; it is tried again");
    }
  }

  async function leaveIdle(): Promise<void> {
    const idle = [...workers.values()].filter(
      ({ busy, idleSince }) => !busy && idleSince !== undefined && performance.now() - idleSince > IDLE_MS,
    );
    if (idle.length === 0) return;
    await releaseEndpoints(
      holder,
      idle.map(({ key }) => key),
    );
    for (const worker of idle) {
      worker.stop();
      workers.delete(nameOf(worker.key));
    }
    // What came for them meanwhile was told to workers that had nothing to look with any more.
    await claim();
  }

  wake = (endpoints) => {
    const others = endpoints.filter((key) => {
      const worker = workers.get(nameOf(key));
      worker?.wake();
      return !worker;
    });
    if (others.length === 0 || stopping) return;
    void claim().then(() => {
      const elsewhere = others.filter((key) => !workers.has(nameOf(key)));
      if (elsewhere.length > 0) announceSoon(elsewhere);
    });
  };
  onNotification(CHANNEL, {
    onMessage(payload) {
      const unknown = payload.split(" ").some((name) => {
        const worker = workers.get(name);
        worker?.wake();
        return !worker;
      });
      if (unknown && !stopping) void claim();
    },
  });

  const polling = setInterval(() => void claim(), POLL_MS);
  let renewing: Promise<void> | undefined;
  const renewal = setInterval(() => {
    renewing ??= renew().finally(() => {
      renewing = undefined;
    });
  }, RENEW_MS);

  onShutdown("deliveries", async () => {
    stopping = true;
    clearInterval(polling);
    clearInterval(renewal);
    await Promise.all([claiming, renewing]);
    const held = [...workers.values()];
    for (const worker of held) worker.stop();
    const deadline = performance.now() + DRAIN_MS;
    while (held.some(({ busy }) => busy) && performance.now() < deadline) await after(10);
    for (const worker of held) worker.abandon();
    await sender.close();
    await releaseEndpoints(
      holder,
      held.map(({ key }) => key),
    );
  });
}
