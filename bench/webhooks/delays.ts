import { newProducts } from "../data/new-items.ts";
import { sendAtRate } from "../load/steady-rate.ts";
import type { Target } from "../load/workload.ts";
import { delaysAt } from "./receiver.ts";

/**
 * Adds new items at a steady rate.
 * @param options.watched paths of the receiver at which each change arrives
 * @returns the milliseconds from each change to the arrival of its webhook
 */
export async function delaysOfAdds(
  service: Target,
  receiver: Target,
  options: { writers: readonly string[]; watched: readonly string[]; perSecond: number; seconds: number },
): Promise<number[]> {
  const { writers, watched, ...rate } = options;
  const workload = {
    steps: [{ kind: "add", lag: 0 }],
    readers: [],
    writers: [...writers],
    firstProduct: newProducts(),
  } as const;
  return delaysAt(receiver, watched, await sendAtRate(service, workload, rate));
}

/** Returns the delays of the webhooks of a shop that has 500 customers and does nothing else. */
export async function delaysOfOtherShop(
  service: Target,
  receiver: Target,
  options: { watched: readonly string[]; perSecond: number; seconds: number },
): Promise<number[]> {
  const writers = Array.from({ length: 500 }, (_, n) => `customer-${n}`);
  return delaysOfAdds(service, receiver, { writers, ...options });
}
