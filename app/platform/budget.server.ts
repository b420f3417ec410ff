import { LRUCache } from "lru-cache";
import { nowMs } from "./clock.server.ts";

interface Balance {
  left: number;
  at: number;
}

/** A token bucket for each of many spenders. */
export interface Budget {
  left: (spender: string) => number;
  spend: (spender: string, amount: number) => void;
  /** milliseconds until the amount is available, at most until the bucket is full */
  restoredIn: (spender: string, amount: number) => number;
}

/** @param window milliseconds in which an empty bucket refills */
export function budget({ size, window, spenders }: { size: number; window: number; spenders: number }): Budget {
  const balances = new LRUCache<string, Balance>({ max: spenders });

  function left(spender: string): number {
    const balance = balances.get(spender);
    if (!balance) return size;
    return Math.min(size, balance.left + ((nowMs() - balance.at) * size) / window);
  }

  return {
    left,
    spend(spender, amount) {
      balances.set(spender, { left: left(spender) - amount, at: nowMs() });
    },
    restoredIn(spender, amount) {
      return Math.max(0, ((Math.min(amount, size) - left(spender)) * window) / size);
    },
  };
}
