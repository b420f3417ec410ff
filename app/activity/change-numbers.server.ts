import { run, statement } from "../platform/database.server.ts";
import { onNotification } from "../platform/notifications.server.ts";
import { outsideSpans } from "../platform/trace-context.server.ts";
import { runAs } from "../platform/work-class.server.ts";

const CHANNEL = "wishlist_changes";
/** Milliseconds between two notifications of this process. */
const PAUSE_MS = 10;
/** Shops in a notification, which holds 8,000 bytes. */
const MAX_SHOPS = 200;

const notifyStatement = statement<Record<string, never>>("change_numbers_notify", "SELECT pg_notify($1, $2)");

type Listener = (shopId: number, lastNumber: number) => void;

let notifyListener: Listener = () => undefined;
/** Last numbers that other processes do not know of yet, by shop. */
const unannounced = new Map<number, number>();
let pausing: NodeJS.Timeout | undefined;

/**
 * Sets the listener for changes that got their numbers, in this process or another one. Notifications can be lost. To be called before
 * `startListening`.
 */
export function onChangeNumbers(listener: Listener): void {
  notifyListener = listener;
  onNotification(CHANNEL, {
    onMessage(payload) {
      for (const part of payload.split(" ")) {
        const [shopId, lastNumber] = part.split(":");
        listener(Number(shopId), Number(lastNumber));
      }
    },
  });
}

/** Tells this and other processes the number of a shop's last change. */
export function announceNumbers(shopId: number, lastNumber: number): void {
  notifyListener(shopId, lastNumber);
  unannounced.set(shopId, lastNumber);
  // The first one is sent at once, those of the next milliseconds together.
  if (pausing === undefined) outsideSpans(() => runAs("background", () => void announce()));
}

async function announce(): Promise<void> {
  pausing = setTimeout(() => {
    pausing = undefined;
    if (unannounced.size > 0) void announce();
  }, PAUSE_MS).unref();
  const shops = [...unannounced].slice(0, MAX_SHOPS);
  for (const [shopId] of shops) unannounced.delete(shopId);
  try {
    await run(notifyStatement, [CHANNEL, shops.map(([shopId, last]) => `${shopId}:${last}`).join(" ")]);
  } catch {
    // Streams find the changes by polling.
  }
}
