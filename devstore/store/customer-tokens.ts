import { nowMs } from "../../app/platform/clock.server.ts";
import { randomBase62 } from "../../app/platform/ids.server.ts";

const LIFETIME_SECONDS = 3_600;

/** Access tokens of the Customer Account API. */
export interface CustomerTokens {
  issue: (customerId: string) => { accessToken: string; expiresIn: number };
  /** @returns the customer's id; undefined for a token that is unknown, expired or revoked */
  customerId: (accessToken: string | null) => string | undefined;
  /** Revokes a customer's tokens, as a logout does. */
  revoke: (customerId: string) => void;
}

export function createCustomerTokens(): CustomerTokens {
  const tokens = new Map<string, { customerId: string; expiresAt: number }>();
  return {
    issue(customerId) {
      const accessToken = `shcat_${randomBase62(40)}`;
      tokens.set(accessToken, { customerId, expiresAt: nowMs() + LIFETIME_SECONDS * 1000 });
      return { accessToken, expiresIn: LIFETIME_SECONDS };
    },
    customerId(accessToken) {
      const found = accessToken === null ? undefined : tokens.get(accessToken);
      return found !== undefined && nowMs() < found.expiresAt ? found.customerId : undefined;
    },
    revoke(customerId) {
      for (const [accessToken, token] of tokens) if (token.customerId === customerId) tokens.delete(accessToken);
    },
  };
}
