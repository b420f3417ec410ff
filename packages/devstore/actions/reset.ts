import type { Store } from "../store/store.ts";

/** Removes all faults and undoes edits of the catalog and the theme. */
export function reset(store: Store): void {
  store.faults.clear();
  store.catalog.reset();
  store.blockPlacements.reset();
  store.pageCache.on = false;
  store.pageCache.pages.clear();
  store.protectedCustomerData = true;
  store.consentBanner = store.options.consentBanner;
  store.rateLimit.fill();
  store.journal.clear();
  store.flow.clear();
  store.inbox.clear();
}
