export { customerIdSchema, productIdSchema, variantIdSchema } from "./identifiers.ts";
export { PAGE_LIMIT, pageQuery, pageSchema, sharedViewSchema } from "./page.ts";
export { readPage, type Owner } from "./read.server.ts";
export { itemsOf, type SavedItem } from "./items.ts";
export { readList, readSaved } from "./list.server.ts";
export { addBody, addedSchema, addItem, addMirroredItem, removedSchema, removeItem } from "./change.server.ts";
export { recordCart } from "./cart.server.ts";
export { mergeBody, mergedSchema, mergeItems } from "./merge.server.ts";
export { foldGuest, guestOwner, purgeGuests } from "./guests.server.ts";
export {
  findShared,
  openShareLink,
  readShared,
  revokeShareLink,
  shareLink,
  shareLinkSchema,
  shareTokenSchema,
  toShareLink,
  unsharedSchema,
} from "./share.server.ts";
