import { LRUCache } from "lru-cache";
import { nowMs } from "./clock.server.ts";

interface Balance {
  left: number;
  at: number;
}

/** What each of many spenders may spend: so much at once, and that again within a window. */
export interface Budget {
  left: (spender: string) => number;
  spend: (spender: string, amount: number) => void;
  /** milliseconds until there is so much, or all that there can be */
  restoredIn: (spender: string, amount: number) => number;
}

/** @param window milliseconds in which all of it is restored */
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
