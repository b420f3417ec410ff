import type { DueEndpoints } from "../activity/index.server.ts";
import { env } from "../platform/env.server.ts";
import { onShutdown } from "../platform/lifecycle.server.ts";
import { onNotification } from "../platform/notifications.server.ts";
import { endpointName, type EndpointKey } from "./endpoint-key.ts";
import { announce } from "./queue.server.ts";
import { createSender } from "./send.server.ts";
import { WorkerPool } from "./worker-pool.server.ts";

const CHANNEL = "wishlist_webhooks";
/** Milliseconds between polls, which find retries that are due and endpoints of a dead process. */
const POLL_MS = 500;
/** Milliseconds between renewals; a lease lasts three times as long. */
const RENEW_MS = 2_000;
/** Milliseconds within which endpoints are announced to other processes in one notification. */
const ANNOUNCE_MS = 10;
/** Endpoints in a notification, which holds 8,000 bytes. */
const ANNOUNCE_MAX = 100;

let wake: (endpoints: readonly EndpointKey[]) => void = announceSoon;

/** Wakes the workers of endpoints, here or in other processes. To be called after new deliveries have been committed. */
export function wakeDeliveries({ shopId, endpointIds }: DueEndpoints): void {
  wake(endpointIds.map((endpointId) => ({ shopId, endpointId })));
}

const unannounced = new Map<string, EndpointKey>();
let announcing: NodeJS.Timeout | undefined;

/** Notifies other processes of endpoints that have no worker in this process. */
function announceSoon(endpoints: readonly EndpointKey[]): void {
  for (const key of endpoints) unannounced.set(endpointName(key), key);
  announcing ??= setTimeout(() => {
    announcing = undefined;
    const announced = [...unannounced.values()].slice(0, ANNOUNCE_MAX);
    unannounced.clear();
    announce(CHANNEL, announced).catch(() => {
      // Polling finds endpoints that were not announced.
    });
  }, ANNOUNCE_MS).unref();
}

/** Starts to deliver webhooks, until the process shuts down. */
export function startDeliveries(): void {
  const pool = new WorkerPool(createSender({ allowLoopback: env().webhooksAllowLoopback }));

  wake = (endpoints) => {
    const others = endpoints.filter((key) => !pool.wake(endpointName(key)));
    if (others.length === 0 || pool.stopping) return;
    void pool.claim().then(() => {
      const elsewhere = others.filter((key) => !pool.has(endpointName(key)));
      if (elsewhere.length > 0) announceSoon(elsewhere);
    });
  };
  onNotification(CHANNEL, {
    onMessage(payload) {
      const unknown = payload.split(" ").some((name) => !pool.wake(name));
      if (unknown && !pool.stopping) void pool.claim();
    },
  });

  const polling = setInterval(() => void pool.claim(), POLL_MS);
  const renewal = setInterval(() => pool.renew(), RENEW_MS);
  onShutdown("deliveries", async () => {
    clearInterval(polling);
    clearInterval(renewal);
    await pool.stop();
  });
}
