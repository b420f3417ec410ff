export { identifyShopper, isCustomer, mayKeepList, ownerOf, type Customer, type Shopper } from "./identity.server.ts";
export { add } from "./add.server.ts";
export { cart, list, merge, remove, saved } from "./items.server.ts";
export { share, unshare } from "./sharing.server.ts";
export { failurePage } from "./pages/failure-page.ts";
export { myWishlist, removeByForm, wishlistFragment } from "./pages/my-wishlist.server.ts";
export { sharedWishlist } from "./pages/shared-wishlist.server.ts";
export {
  addedData,
  cartBody,
  cartData,
  fragmentBody,
  itemBody,
  listBody,
  listData,
  mergeBody,
  mergedData,
  nothingBody,
  pageQuery,
  removedData,
  removeForm,
  savedBody,
  savedData,
  sharedData,
  signedQuery,
  unsharedData,
} from "./schemas.ts";
