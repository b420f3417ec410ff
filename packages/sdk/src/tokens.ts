import type { Refusal } from "./request.ts";

/** Milliseconds before its expiry at which a token is renewed, so that it does not expire on its way. */
const MARGIN = 30_000;

export interface IssuedToken {
  token: string;
  /** seconds, of which the client counts the time itself: the clocks of shoppers' devices are often wrong */
  expiresIn: number;
}

export interface Tokens {
  /** Returns the current token, or renews it near its end or when it was refused. Concurrent calls share one exchange. */
  get: (refusal?: Refusal) => Promise<string>;
  /** Replaces the token. */
  set: (issued: IssuedToken) => void;
  /** Discards the token, and the one that is being issued. */
  clear: () => void;
}

export function tokenCache(issue: (refusal: Refusal | undefined) => Promise<IssuedToken>): Tokens {
  let current: { token: string; renewAt: number } | undefined;
  let pending: Promise<string> | undefined;

  function set({ token, expiresIn }: IssuedToken): void {
    pending = undefined;
    current = { token, renewAt: Date.now() + Math.max(expiresIn * 500, expiresIn * 1000 - MARGIN) };
  }

  function renew(refusal: Refusal | undefined): Promise<string> {
    const exchange = issue(refusal).then(
      (issued) => {
        if (pending === exchange) set(issued);
        return issued.token;
      },
      (error: unknown) => {
        if (pending === exchange) pending = undefined;
        throw error;
      },
    );
    pending = exchange;
    return exchange;
  }

  return {
    async get(refusal) {
      if (pending) return pending;
      if (current && current.token !== refusal?.token && Date.now() < current.renewAt) return current.token;
      return renew(refusal);
    },
    set,
    clear() {
      current = pending = undefined;
    },
  };
}
