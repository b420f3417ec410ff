import { Session } from "@shopify/shopify-app-remix/server";
import { MissingSessionTableError, PrismaSessionStorage } from "@shopify/shopify-app-session-storage-prisma";
import { seal, unseal } from "./platform/crypto.server.ts";
import { prisma } from "./platform/database.server.ts";
import { log } from "./platform/log.server.ts";

type Store = Pick<
  PrismaSessionStorage<ReturnType<typeof prisma>>,
  "storeSession" | "loadSession" | "deleteSession" | "deleteSessions" | "findSessionsByShop"
>;

let store: Store | undefined;

/** Shopify's own storage looks for its table once, and remembers for ever that the database was away at that moment. */
async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  store ??= new PrismaSessionStorage(prisma(), { connectionRetries: 1, connectionRetryIntervalMs: 0 });
  try {
    return await work(store);
  } catch (error) {
    if (error instanceof MissingSessionTableError) store = undefined;
    throw error;
  }
}

// With the session's id: the token of one shop can't pass for another's by being copied.
const purpose = (column: "access_token" | "refresh_token", id: string): string => `session.${column} ${id}`;

function sealed(session: Session): Session {
  const { id, accessToken, refreshToken } = session;
  return new Session({
    ...session.toObject(),
    ...(accessToken === undefined ? {} : { accessToken: seal(accessToken, purpose("access_token", id)) }),
    ...(refreshToken === undefined ? {} : { refreshToken: seal(refreshToken, purpose("refresh_token", id)) }),
  });
}

/** A session whose tokens can't be opened (their key has left the ring) is as good as none: Shopify gives new ones. */
function opened(session: Session): Session | undefined {
  const { id, shop, accessToken, refreshToken } = session;
  try {
    return new Session({
      ...session.toObject(),
      ...(accessToken === undefined ? {} : { accessToken: unseal(accessToken, purpose("access_token", id)) }),
      ...(refreshToken === undefined ? {} : { refreshToken: unseal(refreshToken, purpose("refresh_token", id)) }),
    });
  } catch (error) {
    log.warn({ shop, err: error }, "the tokens of a session can't be opened; new ones are asked for");
    return undefined;
  }
}

/** Shopify's storage on Prisma, with the tokens sealed. */
export const sessionStorage: Store = {
  storeSession: (session) => withStore((to) => to.storeSession(sealed(session))),
  async loadSession(id) {
    const session = await withStore((from) => from.loadSession(id));
    return session && opened(session);
  },
  deleteSession: (id) => withStore((from) => from.deleteSession(id)),
  deleteSessions: (ids) => withStore((from) => from.deleteSessions(ids)),
  async findSessionsByShop(shop) {
    const sessions = await withStore((from) => from.findSessionsByShop(shop));
    return sessions.flatMap((session) => opened(session) ?? []);
  },
};

/** Takes reception of what needs no token: nothing is loaded, so nothing is refreshed either, and no answer waits for Shopify. */
export const noSessions: Store = {
  storeSession: async () => true,
  loadSession: async () => undefined,
  deleteSession: async () => true,
  deleteSessions: async () => true,
  findSessionsByShop: async () => [],
};
