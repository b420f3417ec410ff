import { nowMs } from "../../../app/platform/clock.server.ts";
import { randomBase62 } from "../../../app/platform/ids.server.ts";

const LIFETIME_SECONDS = 3_600;
const REFRESH_LIFETIME_SECONDS = 30 * 24 * 3_600;

export interface IssuedCustomerTokens {
  accessToken: string;
  /** seconds until the access token expires */
  expiresIn: number;
  refreshToken: string;
}

/** Access and refresh tokens of the Customer Account API. */
export interface CustomerTokens {
  issue: (customerId: string) => IssuedCustomerTokens;
  /** @returns the customer's id; undefined for a token that is unknown, expired or revoked */
  customerId: (accessToken: string | null) => string | undefined;
  /** Exchanges a refresh token, which is valid once, for new tokens. @returns undefined for an invalid one */
  refresh: (refreshToken: string) => IssuedCustomerTokens | undefined;
  /** Revokes a customer's tokens, as a logout does. */
  revoke: (customerId: string) => void;
}

interface Stored {
  customerId: string;
  expiresAt: number;
}

export function createCustomerTokens(): CustomerTokens {
  const accessTokens = new Map<string, Stored>();
  const refreshTokens = new Map<string, Stored>();

  function store(tokens: Map<string, Stored>, prefix: string, customerId: string, seconds: number): string {
    const token = `${prefix}${randomBase62(40)}`;
    tokens.set(token, { customerId, expiresAt: nowMs() + seconds * 1000 });
    return token;
  }

  function customerOf(tokens: Map<string, Stored>, token: string | null): string | undefined {
    const found = token === null ? undefined : tokens.get(token);
    return found !== undefined && nowMs() < found.expiresAt ? found.customerId : undefined;
  }

  function issue(customerId: string): IssuedCustomerTokens {
    return {
      accessToken: store(accessTokens, "shcat_", customerId, LIFETIME_SECONDS),
      expiresIn: LIFETIME_SECONDS,
      refreshToken: store(refreshTokens, "shcrt_", customerId, REFRESH_LIFETIME_SECONDS),
    };
  }

  return {
    issue,
    customerId: (accessToken) => customerOf(accessTokens, accessToken),
    refresh(refreshToken) {
      const customerId = customerOf(refreshTokens, refreshToken);
      refreshTokens.delete(refreshToken);
      return customerId === undefined ? undefined : issue(customerId);
    },
    revoke(customerId) {
      for (const tokens of [accessTokens, refreshTokens]) {
        for (const [token, stored] of tokens) if (stored.customerId === customerId) tokens.delete(token);
      }
    },
  };
}
