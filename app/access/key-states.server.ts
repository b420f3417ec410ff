import { LRUCache } from "lru-cache";
import { countCache } from "../platform/metrics/caches.server.ts";
import { run, statement } from "../platform/database/database.server.ts";
import { onShutdown } from "../platform/process/lifecycle.server.ts";
import { log } from "../platform/log/log.server.ts";
import { onNotification } from "../platform/database/notifications.server.ts";
import { planSchema, type Plan } from "../billing/index.server.ts";
import { domainOfAccountClient } from "./account-client.ts";
import { keyKindSchema, type ClientKind } from "./kinds.ts";
import { CUSTOMER_SCOPES, isScope, type Scope } from "./scopes.ts";

const POLL_MS = 1_000;
const DEAF_AFTER_MS = 5_000;

/** The state of a key, or of the client that stands for a shop's customer accounts, and of its shop. It decides whether its tokens are accepted. */
export interface KeyState {
  /** the key's id, or that of `accountClientId` */
  keyId: string;
  shopId: number;
  /** the shop's domain */
  shop: string;
  plan: Plan;
  kind: ClientKind;
  scopes: ReadonlySet<Scope>;
  /** of a publishable key: the origins from which it works */
  allowedOrigins: readonly string[];
  /** whether the shop keeps lists for guests */
  guestLists: boolean;
  revoked: boolean;
  /** milliseconds since the epoch */
  expiresAt: number | undefined;
  uninstalled: boolean;
}

interface KeyRow {
  key_id: string;
  shop_id: number;
  domain: string;
  plan: string;
  kind: string;
  scopes: string[];
  allowed_origins: string[];
  guest_lists: boolean;
  revoked: boolean;
  expires_at: Date | null;
  uninstalled: boolean;
}

/** Unscoped: a token names its key, and the key tells the shop. */
const stateOfKey = statement<KeyRow>(
  "key_state",
  `SELECT k.key_id, k.shop_id, s.domain, s.plan, k.kind, k.scopes, k.allowed_origins, s.guest_lists, k.revoked_at IS NOT NULL AS revoked, k.expires_at,
          s.uninstalled_at IS NOT NULL AS uninstalled
     FROM api_key k JOIN shop s ON s.id = k.shop_id
    WHERE k.key_id = $1`,
);

interface ShopRow {
  id: number;
  domain: string;
  plan: string;
  guest_lists: boolean;
  uninstalled: boolean;
}

const stateOfShop = statement<ShopRow>(
  "account_client_state",
  "SELECT id, domain, plan, guest_lists, uninstalled_at IS NOT NULL AS uninstalled FROM shop WHERE domain = $1",
);

async function readKeyState(keyId: string): Promise<KeyState | undefined> {
  const [row] = await run(stateOfKey, [keyId]);
  return (
    row && {
      keyId: row.key_id,
      shopId: row.shop_id,
      shop: row.domain,
      plan: planSchema.parse(row.plan),
      kind: keyKindSchema.parse(row.kind),
      scopes: new Set(row.scopes.filter(isScope)),
      allowedOrigins: row.allowed_origins,
      guestLists: row.guest_lists,
      revoked: row.revoked,
      expiresAt: row.expires_at?.getTime(),
      uninstalled: row.uninstalled,
    }
  );
}

async function readAccountClient(keyId: string, domain: string): Promise<KeyState | undefined> {
  const [row] = await run(stateOfShop, [domain]);
  return (
    row && {
      keyId,
      shopId: row.id,
      shop: row.domain,
      plan: planSchema.parse(row.plan),
      kind: "customer_accounts",
      scopes: new Set(CUSTOMER_SCOPES),
      allowedOrigins: [],
      guestLists: row.guest_lists,
      revoked: false,
      expiresAt: undefined,
      uninstalled: row.uninstalled,
    }
  );
}

/**
 * Unscoped: what changed in any shop. The ten seconds are for changes that were committed some time after they were made; one
 * that takes longer still is announced by its NOTIFY.
 */
const changedOfLate = statement<{ key_id: string | null; shop_id: number | null }>(
  "key_changes",
  `SELECT key_id, NULL::bigint AS shop_id FROM api_key WHERE changed_at > now() - interval '10 seconds'
    UNION ALL
   SELECT NULL, id FROM shop WHERE changed_at > now() - interval '10 seconds'`,
);

const states = new LRUCache<string, KeyState>({ max: 50_000 });
const cacheUse = countCache("key_states", () => states.size);
/** Increases with every change, so that a query that started before a change is not cached. */
let generation = 0;
let heardAt = -Infinity;

/** Returns the cached state of a key, unless the cache may be stale. */
export function cachedKeyState(keyId: string): KeyState | undefined {
  return performance.now() - heardAt < DEAF_AFTER_MS ? states.get(keyId) : undefined;
}

/**
 * Returns the state of a key, at most a second old: from the cache while notifications and polls arrive, otherwise from the database.
 * @param keyId the id of a key, or that of `accountClientId`
 * @returns undefined for a key or shop that does not exist
 */
export async function keyState(keyId: string): Promise<KeyState | undefined> {
  const hearing = performance.now() - heardAt < DEAF_AFTER_MS;
  const known = cachedKeyState(keyId);
  if (known) {
    cacheUse.hits++;
    return known;
  }
  cacheUse.misses++;

  const before = generation;
  const domain = domainOfAccountClient(keyId);
  const state = await (domain === undefined ? readKeyState(keyId) : readAccountClient(keyId, domain));
  if (!state) return undefined;
  if (hearing && before === generation) states.set(keyId, state);
  return state;
}

function evictKey(keyId: string): void {
  generation++;
  states.delete(keyId);
}

function evictShop(shopId: number): void {
  generation++;
  for (const [keyId, state] of states.entries()) {
    if (state.shopId === shopId) states.delete(keyId);
  }
}

async function poll(): Promise<void> {
  const readAt = performance.now();
  const changed = await run(changedOfLate, []);
  if (readAt - heardAt > DEAF_AFTER_MS) {
    // Older changes may be missing from this poll.
    generation++;
    states.clear();
  }
  for (const { key_id, shop_id } of changed) {
    if (key_id !== null) evictKey(key_id);
    if (shop_id !== null) evictShop(shop_id);
  }
  heardAt = readAt;
}

/** Starts to receive changes by NOTIFY, with a poll each second as a fallback. */
export async function watchKeyStates(): Promise<void> {
  onNotification("wishlist_access", {
    onMessage(payload) {
      const [kind, id] = payload.split(" ");
      if (kind === "key" && id !== undefined) evictKey(id);
      if (kind === "shop") evictShop(Number(id));
    },
    onConnect() {
      generation++;
      states.clear();
    },
  });
  await poll();

  let polling: Promise<void> | undefined;
  const timer = setInterval(() => {
    polling ??= poll()
      .catch((error: unknown) => {
        log.warn({ err: error }, "could not poll for key changes; requests query the database until polling succeeds");
      })
      .finally(() => {
        polling = undefined;
      });
  }, POLL_MS);

  onShutdown("key states", async () => {
    clearInterval(timer);
    await polling;
  });
}
