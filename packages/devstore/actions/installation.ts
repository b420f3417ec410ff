import type { Store } from "../store/store.ts";
import type { StoreEvents } from "../webhooks/events.ts";

/** Installs the app with the scopes of its configuration. */
export function install(store: Store): void {
  store.installation.installed = true;
  store.installation.scopes = [...store.options.scopes];
  store.journal.record({ kind: "install", summary: "installed" });
}

/** Uninstalls the app: its tokens are revoked and its subscription ends before the webhooks are sent. */
export function uninstall(store: Store, events: StoreEvents): void {
  const cancelled = removeApp(store);
  events.subscriptionsChanged(cancelled);
  events.uninstalled();
}

/** Does the same without sending webhooks. @returns the cancelled subscriptions */
export function removeApp(store: Store): ReturnType<Store["subscriptions"]["cancelAll"]> {
  store.tokens.revokeAll();
  store.installation.installed = false;
  store.installation.scopes = [];
  store.webhookSubscriptions.length = 0;
  store.flow.turnAllOff();
  store.journal.record({ kind: "install", summary: "uninstalled" });
  return store.subscriptions.cancelAll();
}
