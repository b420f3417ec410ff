export { customerIdSchema, productIdSchema, variantIdSchema } from "./identifiers.ts";
export { PAGE_LIMIT, pageQuery, pageSchema, sharedViewSchema } from "./page.ts";
export { readPage } from "./read.server.ts";
export { addBody, addedSchema, addItem, removedSchema, removeItem } from "./change.server.ts";
export { recordCart } from "./cart.server.ts";
export { mergeBody, mergedSchema, mergeItems } from "./merge.server.ts";
export {
  readShared,
  revokeShareLink,
  shareLink,
  shareLinkSchema,
  shareTokenSchema,
  toShareLink,
  unsharedSchema,
} from "./share.server.ts";
