export { customerIdSchema, listIdSchema, ME, ownerParameter, productIdSchema, variantIdSchema } from "./identifiers.ts";
export { DEFAULT_LIST, ownerInPath, type ListRef, type Owner } from "./owner.ts";
export {
  expandQuery,
  itemsQuery,
  LIST_SORTS,
  PAGE_LIMIT,
  pageQuery,
  pageSchema,
  sharedViewSchema,
  toItemsQuery,
} from "./items/page.ts";
export { MAX_LISTS } from "./refusals.server.ts";
export { readPage } from "./items/read.server.ts";
export {
  createList,
  createListBody,
  deletedListSchema,
  deleteList,
  purgeDeletedLists,
  updateList,
  updateListBody,
} from "./lists/change.server.ts";
export {
  listSchema,
  listsQuery,
  listsSchema,
  readLists,
  readListsPage,
  readListText,
  readOneList,
  type List,
} from "./lists/read.server.ts";
export { changedDetails, itemDetails } from "./items/details.ts";
export { batchBody, batchSchema, changeTogether, keptBatch } from "./items/batch.server.ts";
export { containsQuery, containsSchema, findContaining } from "./items/contains.server.ts";
export {
  historyQuery,
  historySchema,
  readHistory,
  restoreBody,
  restoredSchema,
  restoreList,
} from "./history/history.server.ts";
export { changeItem, changeItemBody, changedItemSchema } from "./items/update.server.ts";
export { moveBody, movedSchema, moveItems } from "./items/move.server.ts";
export { itemsOf, type SavedItem } from "./items/item-text.ts";
export { listNameSchema } from "./lists/names.ts";
export { countPeople } from "./staff/people.server.ts";
export { readTotals, type Totals } from "./totals.server.ts";
export { readList, readSaved } from "./items/slice.server.ts";
export { addBody, addedSchema, addItem, addCachedProduct } from "./items/add.server.ts";
export { removedSchema, removeItem } from "./items/remove.server.ts";
export { CART_ITEMS, cartBody, cartEventId, recordCart, recordedCartSchema } from "./items/cart.server.ts";
export { mergeBody, mergedSchema, mergeItems } from "./guests/merge.server.ts";
export { guestOwner, mergeGuest, purgeGuestOrigins, purgeGuests, recordGuestUse } from "./guests/guests.server.ts";
export { recentLists } from "./staff/recent.server.ts";
export { removeByStaff, shareByStaff, unshareByStaff } from "./staff/change.server.ts";
export { findForm, removeForm, restoreDeletedForm, restoreForm } from "./staff/forms.ts";
export { previewRestore, restoreByStaff, restoreDeletedByStaff, viewHistory } from "./staff/history.server.ts";
export { viewList } from "./staff/read.server.ts";
export { customersWithLists, search } from "./staff/search.server.ts";
export {
  findShared,
  openShareLink,
  readShared,
  revokeShareLink,
  SEALED_SHARE_LINKS,
  shareLink,
  shareLinkSchema,
  shareTokenSchema,
  toShareLink,
  unsharedSchema,
} from "./sharing/share-links.server.ts";
export { purgeExportTickets, exportForm, exportLists, exportTicket, redeemTicket } from "./transfer/export.server.ts";
export {
  beginImport,
  beginImportForm,
  cancelImport,
  importForm,
  startImport,
  startImportForm,
  takePart,
  undoImport,
} from "./transfer/import.server.ts";
export { runImportMaintenance } from "./transfer/import-maintenance.server.ts";
export { importProblems, latestImport } from "./transfer/import-status.server.ts";
export { PART_BYTES } from "./transfer/import-data.ts";
export { importTask } from "./transfer/import-task.server.ts";
export { problemReport } from "./transfer/report.server.ts";
