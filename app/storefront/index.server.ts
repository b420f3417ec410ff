export {
  identifyShopper,
  isCustomer,
  mayKeepList,
  ownerOf,
  readSignedQuery,
  type Customer,
  type Shopper,
} from "./identity.server.ts";
export { add } from "./add.server.ts";
export { cart, list, merge, move, remove, saved, updateItem } from "./items.server.ts";
export {
  createShopperList,
  deleteShopperList,
  renameShopperList,
  restoreShopperList,
  showLists,
} from "./lists.server.ts";
export { share, unshare } from "./sharing.server.ts";
export { failurePage } from "./pages/failure-page.ts";
export { askToWithdraw, withdraw } from "./pages/withdraw.server.ts";
export {
  askForAlertsByForm,
  createListByForm,
  deleteListByForm,
  moveItemByForm,
  removeByForm,
  renameListByForm,
  restoreListByForm,
  updateItemByForm,
} from "./pages/forms.server.ts";
export { followAlert } from "./pages/alert-link.server.ts";
export { myWishlist, wishlistFragment } from "./pages/my-wishlist.server.ts";
export { sharedWishlist } from "./pages/shared-wishlist.server.ts";
export {
  addedData,
  alertsForm,
  cartBody,
  cartData,
  changedListData,
  createListBody,
  createListForm,
  deletedListData,
  deleteListBody,
  deleteListForm,
  fragmentBody,
  itemBody,
  listBody,
  listData,
  listsBody,
  listsData,
  mergeBody,
  mergedData,
  moveBody,
  movedData,
  moveItemForm,
  pageQuery,
  removedData,
  removeForm,
  renameListForm,
  restoreListBody,
  restoreListForm,
  savedBody,
  savedData,
  shareBody,
  sharedData,
  signedQuery,
  unsharedData,
  updatedItemData,
  updateItemBody,
  updateItemForm,
  updateListBody,
} from "./schemas.ts";
