import { nowMs } from "../../../app/platform/clock.server.ts";

/** Points of a full bucket, as on a Standard plan. */
const MAXIMUM = 2_000;
/** Most points that a single query may cost. */
export const QUERY_MAXIMUM = 1_000;

export interface ThrottleStatus {
  maximumAvailable: number;
  currentlyAvailable: number;
  restoreRate: number;
}

/** The Admin API's leaky bucket of one app in one store. */
export interface RateLimit {
  /** Takes the points if the bucket holds enough. */
  take: (cost: number) => boolean;
  /** Returns points that a query requested but did not use. */
  refund: (points: number) => void;
  drain: () => void;
  fill: () => void;
  status: () => ThrottleStatus;
}

/** @param restoreRate points per second */
export function createRateLimit(restoreRate: number): RateLimit {
  let available = MAXIMUM;
  let updatedAt = nowMs();

  function restore(): void {
    const moment = nowMs();
    available = Math.min(MAXIMUM, available + ((moment - updatedAt) / 1000) * restoreRate);
    updatedAt = moment;
  }

  return {
    take(cost) {
      restore();
      if (available < cost) return false;
      available -= cost;
      return true;
    },
    refund(points) {
      available = Math.min(MAXIMUM, available + points);
    },
    drain() {
      restore();
      available = 0;
    },
    fill() {
      available = MAXIMUM;
    },
    status() {
      restore();
      return { maximumAvailable: MAXIMUM, currentlyAvailable: Math.floor(available), restoreRate };
    },
  };
}
