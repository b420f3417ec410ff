import type { Store } from "../store/store.ts";
import type { StoreEvents } from "../webhooks/events.ts";

function changeScopes(store: Store, events: StoreEvents, scopes: readonly string[]): void {
  const previous = store.installation.scopes;
  store.installation.scopes = [...scopes];
  store.journal.record({ kind: "install", summary: `scopes: ${scopes.join(",")}` });
  events.scopesUpdated(previous);
}

/** Grants scopes in addition to those that the app has. */
export function grantScopes(store: Store, events: StoreEvents, scopes: readonly string[]): void {
  const { scopes: granted } = store.installation;
  const added = scopes.filter((scope) => !granted.includes(scope));
  if (added.length > 0) changeScopes(store, events, [...granted, ...added]);
}

/** Revokes scopes. */
export function revokeScopes(store: Store, events: StoreEvents, scopes: readonly string[]): void {
  const { scopes: granted } = store.installation;
  const kept = granted.filter((scope) => !scopes.includes(scope));
  if (kept.length < granted.length) changeScopes(store, events, kept);
}

/** Sets the granted scopes, as a new version of the app's configuration does; the app needs new access tokens. */
export function replaceScopes(store: Store, events: StoreEvents, scopes: readonly string[]): void {
  store.tokens.expireAll();
  changeScopes(store, events, scopes);
}
