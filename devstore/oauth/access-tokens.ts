import { nowMs } from "../../app/platform/clock.server.ts";
import { randomBase62 } from "../../app/platform/ids.server.ts";

const ACCESS_SECONDS = 3_600;
/** online tokens end with the staff member's session */
export const ONLINE_SECONDS = 86_399;
const REFRESH_SECONDS = 90 * 24 * 3_600;

export interface AccessToken {
  token: string;
  kind: "online" | "offline";
  scopes: readonly string[];
  /** milliseconds since the epoch; undefined for ever */
  expiresAt: number | undefined;
  /** of an expiring offline token */
  refresh: { token: string; expiresAt: number } | undefined;
}

export interface AccessTokens {
  issue: (kind: AccessToken["kind"], scopes: readonly string[], expiring: boolean) => AccessToken;
  /** one that is still good */
  find: (token: string) => AccessToken | undefined;
  /** A refresh token is good once: its successor comes with the new access token. */
  refresh: (refreshToken: string, scopes: readonly string[]) => AccessToken | undefined;
  /** From now on every token out there is refused, as when they have expired. */
  expireAll: () => void;
  /** As uninstalling does: refresh tokens end as well. */
  revokeAll: () => void;
}

export function createAccessTokens(): AccessTokens {
  const tokens = new Map<string, AccessToken>();
  const refreshTokens = new Map<string, number>();

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
    if (issued.refresh !== undefined) refreshTokens.set(issued.refresh.token, issued.refresh.expiresAt);
    return issued;
  }

  return {
    issue,
    find(token) {
      const found = tokens.get(token);
      return found !== undefined && (found.expiresAt ?? Infinity) > nowMs() ? found : undefined;
    },
    refresh(refreshToken, scopes) {
      const expiresAt = refreshTokens.get(refreshToken);
      if (expiresAt === undefined || expiresAt <= nowMs()) return undefined;
      refreshTokens.delete(refreshToken);
      return issue("offline", scopes, true);
    },
    expireAll() {
      tokens.clear();
    },
    revokeAll() {
      tokens.clear();
      refreshTokens.clear();
    },
  };
}
