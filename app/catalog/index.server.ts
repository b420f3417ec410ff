export { onVariantsChanged } from "./cache.server.ts";
export { catalog, findForShopper, resolveHandles } from "./catalog.server.ts";
export { productRefresh, requestRefresh, requestRefreshOfInventoryItem } from "./product-refresh.server.ts";
export { describeProducts, describeToShoppers, type CachedProduct } from "./products.server.ts";
export { isKnownToShoppersSql, isPublishedSql } from "./publication.ts";
export { catalogSync, deleteSyncProgress, reconcileCatalog, requestSync } from "./sync.server.ts";
export { readSyncStates, type SyncStates } from "./sync-states.server.ts";
