import type { Session as SessionRow } from "@prisma/client";
import { Session } from "@shopify/shopify-app-remix/server";
import { seal, unseal } from "../platform/encryption/crypto.server.ts";
import { prisma } from "../platform/database/database.server.ts";
import { log } from "../platform/log/log.server.ts";
import type { SealedColumn } from "../platform/encryption/sealed-columns.server.ts";

// The purpose contains the session's id, so that a token can't be copied into another shop's session.
const purpose = (column: "access_token" | "refresh_token", id: string): string => `session.${column} ${id}`;

const sealedToken = (column: "access_token" | "refresh_token"): SealedColumn => ({
  holds: column === "access_token" ? "Shopify access tokens" : "Shopify refresh tokens",
  table: "session",
  column,
  byShop: false,
  key: { id: "text" },
  purpose: (_shopId, [id = ""]) => purpose(column, id),
});

export const SEALED_SESSIONS = [sealedToken("access_token"), sealedToken("refresh_token")];

/** The session storage that Shopify's library expects. */
interface SessionStorage {
  storeSession(session: Session): Promise<boolean>;
  loadSession(id: string): Promise<Session | undefined>;
  deleteSession(id: string): Promise<boolean>;
  deleteSessions(ids: string[]): Promise<boolean>;
  findSessionsByShop(shop: string): Promise<Session[]>;
}

/** The most sessions of a shop that Shopify's library gets. Sessions of former staff expire. */
const SESSIONS_OF_A_SHOP = 25;

/** The state of a session whose tokens are new: no process refreshes them, and no refresh of them has failed. */
const NO_REFRESH = { refreshLeaseUntil: null, refreshFailedSince: null, refreshError: null };

export function toRow(session: Session): SessionRow {
  const { id, accessToken, refreshToken } = session;
  const user = session.onlineAccessInfo?.associated_user;
  return {
    id,
    shop: session.shop,
    state: session.state,
    isOnline: session.isOnline,
    scope: session.scope ?? null,
    expires: session.expires ?? null,
    accessToken: accessToken === undefined ? "" : seal(accessToken, purpose("access_token", id)),
    userId: user ? BigInt(user.id) : null,
    firstName: user?.first_name ?? null,
    lastName: user?.last_name ?? null,
    email: user?.email ?? null,
    accountOwner: user?.account_owner ?? false,
    locale: user?.locale ?? null,
    collaborator: user?.collaborator ?? false,
    emailVerified: user?.email_verified ?? false,
    refreshToken: refreshToken === undefined ? null : seal(refreshToken, purpose("refresh_token", id)),
    refreshTokenExpires: session.refreshTokenExpires ?? null,
    ...NO_REFRESH,
  };
}

/** Converts a row to a session. @throws Error when a token can't be unsealed */
function fromRow(row: SessionRow): Session {
  const { refreshLeaseUntil: _until, refreshFailedSince: _since, refreshError: _error, ...stored } = row;
  const { id, accessToken, refreshToken } = stored;
  const entries = Object.entries({
    ...stored,
    userId: row.userId === null ? null : Number(row.userId),
    expires: row.expires?.getTime() ?? null,
    refreshTokenExpires: row.refreshTokenExpires?.getTime() ?? null,
    accessToken: accessToken === "" ? null : unseal(accessToken, purpose("access_token", id)),
    refreshToken: refreshToken === null ? null : unseal(refreshToken, purpose("refresh_token", id)),
  });
  return Session.fromPropertyArray(
    entries.flatMap(([name, value]) => (value === null ? [] : [[name, value] satisfies [string, unknown]])),
    true,
  );
}

/** Converts a row to a session; undefined when its tokens can't be unsealed, so that Shopify's library requests new ones. */
export function readSession(row: SessionRow): Session | undefined {
  try {
    return fromRow(row);
  } catch (error) {
    log.warn({ shop: row.shop, err: error }, "could not unseal the tokens of a session; requesting new ones");
    return undefined;
  }
}

/** Stores the sessions of Shopify's library in PostgreSQL, with sealed tokens. */
export const sessionStorage: SessionStorage = {
  async storeSession(session) {
    const { id, ...data } = toRow(session);
    await prisma().session.upsert({ where: { id }, create: { id, ...data }, update: data });
    return true;
  },
  async loadSession(id) {
    const row = await prisma().session.findUnique({ where: { id } });
    return row ? readSession(row) : undefined;
  },
  async deleteSession(id) {
    await prisma().session.deleteMany({ where: { id } });
    return true;
  },
  async deleteSessions(ids) {
    await prisma().session.deleteMany({ where: { id: { in: ids } } });
    return true;
  },
  async findSessionsByShop(shop) {
    const rows = await prisma().session.findMany({
      where: { shop },
      take: SESSIONS_OF_A_SHOP,
      orderBy: { expires: "desc" },
    });
    return rows.flatMap((row) => readSession(row) ?? []);
  },
};

/** Stores and loads nothing: for routes that need no token, so that no response waits for Shopify to refresh one. */
export const noSessions: SessionStorage = {
  storeSession: async () => true,
  loadSession: async () => undefined,
  deleteSession: async () => true,
  deleteSessions: async () => true,
  findSessionsByShop: async () => [],
};
