import type { DueEndpoints } from "../../activity/index.server.ts";
import { Announcer } from "../../platform/jobs/announcer.server.ts";
import { env } from "../../platform/process/env.server.ts";
import { onShutdown } from "../../platform/process/lifecycle.server.ts";
import { gauge } from "../../platform/metrics/metrics.server.ts";
import { outsideSpans } from "../../platform/tracing/context.server.ts";
import type { ChannelType } from "./channel.ts";
import { endpointName, endpointOf, type EndpointKey } from "./endpoint-key.ts";
import type { ReadRecipients } from "./recipients.server.ts";
import { createSender } from "./send.server.ts";
import { WorkerPool } from "./worker-pool.server.ts";

/** Milliseconds between polls, which find retries that are due and endpoints of a dead process. */
const POLL_MS = 500;
/** Milliseconds between renewals; a lease lasts four times as long. */
const RENEW_MS = 1_000;

const announcer = new Announcer("wishlist_webhooks");
let pool: WorkerPool | undefined;

gauge("webhook_leases", "Webhooks that this process works on", undefined, () => [
  { labels: {}, value: pool?.size ?? 0 },
]);

let wake: (endpoints: readonly EndpointKey[]) => void = announce;

/** Wakes the workers of endpoints, here or in other processes. To be called after new deliveries have been committed. */
export function wakeDeliveries({ shopId, endpointIds }: DueEndpoints): void {
  outsideSpans(() => {
    wake(endpointIds.map((endpointId) => ({ shopId, endpointId })));
  });
}

/** Notifies other processes of endpoints that have no worker in this process. */
function announce(endpoints: readonly EndpointKey[]): void {
  for (const key of endpoints) announcer.announce(endpointName(key));
}

/** Returns whether this process has delivered for shops other than this one within the last second. */
export function deliversForOthers(shopId: number): boolean {
  return pool?.recentShops.isShared(shopId) ?? false;
}

/** Starts to deliver webhooks and the messages of channels, until the process shuts down. @param channels by the ids of their endpoints */
export function startDeliveries(channels: ReadonlyMap<string, ChannelType>, readRecipients: ReadRecipients): void {
  const sender = createSender({ allowLoopback: env().webhooksAllowLoopback });
  const workers = new WorkerPool({ sender, channels, readRecipients, onNotified: wakeDeliveries });
  pool = workers;

  wake = (endpoints) => {
    const others = endpoints.filter((key) => !workers.wake(endpointName(key)));
    if (others.length === 0 || workers.stopping) return;
    void workers.claim(others).then(() => {
      const elsewhere = others.filter((key) => !workers.has(endpointName(key)));
      announce(elsewhere);
    });
  };
  announcer.listen((names) => {
    const unknown = names.filter((name) => !workers.wake(name));
    void workers.claim(unknown.flatMap((name) => endpointOf(name) ?? []));
  });

  const polling = setInterval(() => workers.poll(), POLL_MS);
  const renewal = setInterval(() => void workers.renew(), RENEW_MS);
  onShutdown("deliveries", async () => {
    clearInterval(polling);
    clearInterval(renewal);
    await workers.stop();
  });
}
