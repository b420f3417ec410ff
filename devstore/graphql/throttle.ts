import { nowMs } from "../../app/platform/clock.server.ts";

/** Points, as on a Standard plan. */
export const MAXIMUM = 2_000;
/** of a single query */
export const QUERY_MAXIMUM = 1_000;

export interface ThrottleStatus {
  maximumAvailable: number;
  currentlyAvailable: number;
  restoreRate: number;
}

/** The leaky bucket of one app on one shop. */
export interface Bucket {
  /** Takes the points when there are as many. */
  take: (cost: number) => boolean;
  /** What a query asked for and did not use. */
  giveBack: (points: number) => void;
  drain: () => void;
  status: () => ThrottleStatus;
}

export function createBucket(restoreRate: number): Bucket {
  let available = MAXIMUM;
  let at = nowMs();

  function restore(): void {
    const moment = nowMs();
    available = Math.min(MAXIMUM, available + ((moment - at) / 1000) * restoreRate);
    at = moment;
  }

  return {
    take(cost) {
      restore();
      if (available < cost) return false;
      available -= cost;
      return true;
    },
    giveBack(points) {
      available = Math.min(MAXIMUM, available + points);
    },
    drain() {
      restore();
      available = 0;
    },
    status() {
      restore();
      return {
        maximumAvailable: MAXIMUM,
        currentlyAvailable: Math.floor(available),
        restoreRate,
      };
    },
  };
}
