import { nowMs } from "../../../app/platform/clock.server.ts";

/** Requests per fixed window of a second and of a minute, as Klaviyo publishes them. */
interface Limits {
  burst: number;
  steady: number;
}

/** By method and path. */
const LIMITS: Readonly<Record<string, Limits>> = {
  "GET /api/accounts": { burst: 1, steady: 15 },
  "POST /api/events": { burst: 350, steady: 3_500 },
  "POST /api/event-bulk-create-jobs": { burst: 10, steady: 150 },
};

export interface RateLimits {
  /** Counts a request. @returns the seconds after which one is accepted again; undefined when it is accepted */
  take: (operation: string) => number | undefined;
}

export function createRateLimits(): RateLimits {
  const counts = new Map<string, { window: number; taken: number }>();

  function isFull(operation: string, seconds: number, limit: number): boolean {
    const key = `${operation} ${seconds}`;
    const window = Math.floor(nowMs() / 1_000 / seconds);
    const count = counts.get(key);
    if (count?.window !== window) counts.set(key, { window, taken: 0 });
    return (counts.get(key)?.taken ?? 0) >= limit;
  }

  function count(operation: string, seconds: number): void {
    const current = counts.get(`${operation} ${seconds}`);
    if (current) current.taken++;
  }

  return {
    take(operation) {
      const limits = LIMITS[operation];
      if (limits === undefined) return undefined;
      const left = (seconds: number) => Math.ceil(seconds - ((nowMs() / 1_000) % seconds));
      if (isFull(operation, 60, limits.steady)) return left(60);
      if (isFull(operation, 1, limits.burst)) return left(1);
      count(operation, 60);
      count(operation, 1);
      return undefined;
    },
  };
}
