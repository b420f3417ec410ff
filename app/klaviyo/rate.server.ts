/** Requests within any second and within any minute. */
export interface RequestRate {
  perSecond: number;
  perMinute: number;
}

/** Keeps the requests of a process below a rate. */
export interface RequestThrottle {
  /** Counts a request that may be sent now. @returns the milliseconds until one may be sent, and counts none; 0 when it was counted */
  take: () => number;
}

export function createThrottle({ perSecond, perMinute }: RequestRate): RequestThrottle {
  /** times of the requests of the last minute, oldest first */
  let sent: number[] = [];
  return {
    take() {
      const at = performance.now();
      sent = sent.filter((time) => time > at - 60_000);
      const ofMinute = sent.length < perMinute ? undefined : sent.at(-perMinute);
      const ofSecond = sent.filter((time) => time > at - 1_000).length < perSecond ? undefined : sent.at(-perSecond);
      if (ofMinute !== undefined) return ofMinute + 60_000 - at;
      if (ofSecond !== undefined) return ofSecond + 1_000 - at;
      sent.push(at);
      return 0;
    },
  };
}
