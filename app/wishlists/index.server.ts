export { customerIdSchema, listIdSchema, ME, ownerParameter, productIdSchema, variantIdSchema } from "./identifiers.ts";
export { DEFAULT_LIST, idOf, lookupBudgetOf, ownerInPath, type ListRef, type Owner } from "./owner.ts";
export { expandQuery, LIST_SORTS, PAGE_LIMIT, pageQuery, searchSchema, sharedViewSchema } from "./items/page.ts";
export * as operations from "./operations/index.server.ts";
export { listOfIds, noBody, none, type KeptForm, type Operation, type Performable } from "./operations/operation.ts";
export { MAX_LISTS } from "./refusals.server.ts";

export { createList, deleteList, offersLists, purgeDeletedLists, updateList } from "./lists/change.server.ts";
export { readLists, readOneList, type List } from "./lists/read.server.ts";
export { itemDetails, lineDetails } from "./items/details.ts";

export { findContaining } from "./items/contains.server.ts";
export { changeItem } from "./items/update.server.ts";
export { moveItems } from "./items/move.server.ts";
export { itemsOf, type SavedItem } from "./items/item-text.ts";
export { countPeople, countSavers } from "./staff/people.server.ts";
export { customersOfProduct } from "./staff/product-customers.server.ts";
export { readTotals, type Totals } from "./totals.server.ts";
export { readList, readListAndTotal } from "./items/read.server.ts";
export { readSaved } from "./items/saved.server.ts";
export { addItem, addCachedProduct } from "./items/add.server.ts";
export { saveLine } from "./items/save-line.server.ts";
export { removeItem } from "./items/remove.server.ts";
export { recordCart } from "./items/cart.server.ts";
export { mergeItems } from "./guests/merge.server.ts";
export { guestOwner, mergeGuest, purgeGuestOrigins, purgeGuests, recordGuestUse } from "./guests/guests.server.ts";
export { parseCursor, parseListQuery, viewOf, viewPath, type Cursor, type ListQuery } from "./staff/list-filters.ts";
export { customersOfSelection } from "./staff/index-customers.server.ts";
export { listIndex } from "./staff/list-index.server.ts";
export { followChanges, summarizeLists, summaryTask } from "./staff/summaries.server.ts";
export { createDraftOrderByStaff } from "./staff/draft-order.server.ts";
export { addByStaff, removeByStaff, shareByStaff, unshareByStaff } from "./staff/change.server.ts";
export {
  addItemForm,
  createViewForm,
  deleteViewForm,
  draftOrderForm,
  findForm,
  removeForm,
  renameViewForm,
  restoreDeletedForm,
  restoreForm,
  selectionForm,
  tagForm,
  taggingForm,
  undoAddForm,
  updateViewForm,
} from "./staff/forms.ts";
export { createView, deleteView, listViews, renameView, updateView } from "./staff/views.server.ts";
export { previewRestore, restoreByStaff, restoreDeletedByStaff, viewHistory } from "./staff/history.server.ts";
export { viewList } from "./staff/read.server.ts";
export type { ListOwner } from "./staff/view.ts";
export { customersWithLists, search } from "./staff/search.server.ts";
export {
  findShared,
  openShareLink,
  readShared,
  SEALED_SHARE_LINKS,
  shareLink,
  shareTokenSchema,
  toShareLink,
} from "./sharing/share-links.server.ts";
export {
  purgeExportTokens,
  exportForm,
  exportLists,
  createExportToken,
  createIndexExportToken,
  redeemExportToken,
  redeemIndexExportToken,
} from "./transfer/export.server.ts";
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
export { importProblems, problemReport, recentImports } from "./transfer/import-status.server.ts";
export { PART_BYTES } from "./transfer/import-data.ts";
export { importTask } from "./transfer/import-task.server.ts";
