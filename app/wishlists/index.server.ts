export { customerIdSchema, productIdSchema, variantIdSchema } from "./identifiers.ts";
export { LIST_SORTS, PAGE_LIMIT, pageQuery, pageSchema, sharedViewSchema } from "./page.ts";
export { readPage, type Owner } from "./read.server.ts";
export { itemsOf, type SavedItem } from "./items.ts";
export { readList, readSaved } from "./list.server.ts";
export { addBody, addedSchema, addItem, addCachedProduct, removedSchema, removeItem } from "./change.server.ts";
export { recordCart } from "./cart.server.ts";
export { mergeBody, mergedSchema, mergeItems } from "./merge.server.ts";
export { guestOwner, mergeGuest, purgeGuests } from "./guests.server.ts";
export { recentLists } from "./recent.server.ts";
export { removeByStaff, shareByStaff, unshareByStaff } from "./staff-change.server.ts";
export { findForm, removeForm } from "./staff-forms.ts";
export { viewList } from "./staff-read.server.ts";
export { customersWithLists, search } from "./staff-search.server.ts";
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
} from "./share.server.ts";
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
