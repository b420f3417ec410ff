import { nowMs } from "../../../app/platform/clock.server.ts";
import { randomBase62 } from "../../../app/platform/ids.server.ts";

const LIFETIME_MS = 600_000;

/** What a customer's login allows the client to exchange its code for. */
export interface Authorization {
  customerId: string;
  clientId: string;
  redirectUri: string;
  /** PKCE: base64url of the verifier's SHA-256 */
  codeChallenge: string;
  nonce: string | undefined;
}

/** Authorization codes of the Customer Account API's login. */
export interface AuthorizationCodes {
  issue: (authorization: Authorization) => string;
  /** Takes a code, which is valid once. @returns undefined for a code that is unknown, used or expired */
  take: (code: string) => Authorization | undefined;
}

export function createAuthorizationCodes(): AuthorizationCodes {
  const codes = new Map<string, { authorization: Authorization; expiresAt: number }>();
  return {
    issue(authorization) {
      const code = `shcac_${randomBase62(32)}`;
      codes.set(code, { authorization, expiresAt: nowMs() + LIFETIME_MS });
      return code;
    },
    take(code) {
      const found = codes.get(code);
      codes.delete(code);
      return found !== undefined && nowMs() < found.expiresAt ? found.authorization : undefined;
    },
  };
}
