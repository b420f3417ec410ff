import { nowMs } from "../../../app/platform/clock.server.ts";
import { randomBase62 } from "../../../app/platform/ids.server.ts";

const ACCESS_SECONDS = 3_600;
/** Online tokens end with the staff member's session. */
export const ONLINE_SECONDS = 86_399;
const REFRESH_SECONDS = 90 * 24 * 3_600;

export interface AccessToken {
  token: string;
  kind: "online" | "offline";
  scopes: readonly string[];
  /** milliseconds since the epoch; undefined for a token that does not expire */
  expiresAt: number | undefined;
  /** only of an expiring offline token */
  refresh: { token: string; expiresAt: number } | undefined;
}

export interface AccessTokens {
  issue: (kind: AccessToken["kind"], scopes: readonly string[], expiring: boolean) => AccessToken;
  /** Returns a valid token. */
  find: (token: string) => AccessToken | undefined;
  /** Exchanges a refresh token, which is valid once, for new tokens. The access token that came with it ends. */
  refresh: (refreshToken: string, scopes: readonly string[]) => AccessToken | undefined;
  /** Expires all access tokens; refresh tokens stay valid. */
  expireAll: () => void;
  /** Ends refresh tokens, as when one is lost. @param options.exceptLast keeps the one that was issued last */
  endRefreshTokens: (options?: { exceptLast?: boolean }) => void;
  /** Revokes access and refresh tokens, as uninstalling does. */
  revokeAll: () => void;
  /** every access and refresh token that was issued, valid or not */
  issued: readonly string[];
}

export function createAccessTokens(): AccessTokens {
  const tokens = new Map<string, AccessToken>();
  /** the tokens to which each refresh token belongs */
  const refreshTokens = new Map<string, AccessToken>();
  const everIssued: string[] = [];

  function issue(kind: AccessToken["kind"], scopes: readonly string[], expiring: boolean): AccessToken {
    const seconds = kind === "online" ? ONLINE_SECONDS : ACCESS_SECONDS;
    const issued: AccessToken = {
      token: `${kind === "online" ? "shpua_" : "shpat_"}${randomBase62(32)}`,
      kind,
      scopes,
      expiresAt: kind === "online" || expiring ? nowMs() + seconds * 1000 : undefined,
      refresh:
        kind === "offline" && expiring
          ? { token: `shprt_${randomBase62(32)}`, expiresAt: nowMs() + REFRESH_SECONDS * 1000 }
          : undefined,
    };
    tokens.set(issued.token, issued);
    everIssued.push(issued.token, ...(issued.refresh === undefined ? [] : [issued.refresh.token]));
    if (issued.refresh !== undefined) refreshTokens.set(issued.refresh.token, issued);
    return issued;
  }

  return {
    issued: everIssued,
    issue,
    find(token) {
      const found = tokens.get(token);
      return found !== undefined && (found.expiresAt ?? Infinity) > nowMs() ? found : undefined;
    },
    refresh(refreshToken, scopes) {
      const used = refreshTokens.get(refreshToken);
      if (used?.refresh === undefined || used.refresh.expiresAt <= nowMs()) return undefined;
      refreshTokens.delete(refreshToken);
      tokens.delete(used.token);
      return issue("offline", scopes, true);
    },
    expireAll() {
      tokens.clear();
    },
    endRefreshTokens({ exceptLast = false } = {}) {
      const last = exceptLast ? [...refreshTokens].at(-1) : undefined;
      refreshTokens.clear();
      if (last) refreshTokens.set(...last);
    },
    revokeAll() {
      tokens.clear();
      refreshTokens.clear();
    },
  };
}
