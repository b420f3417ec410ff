export {
  identifyShopper,
  isCustomer,
  mayKeepList,
  readSignedQuery,
  withGuest,
  type ListOwner,
  type Shopper,
} from "./identity.server.ts";
export { add } from "./add.server.ts";
export { askForAlert, withdrawAlert } from "./alert-requests.server.ts";
export { askByForm, askToConfirm, confirmByLink } from "./pages/alert-request.server.ts";
export { list, merge, remove, saved } from "./items.server.ts";
export { saveLine } from "./save-line.server.ts";
export { saveShared } from "./shared-list.server.ts";
export { showLists } from "./lists.server.ts";
export { forShoppers, loginRequired } from "./product.server.ts";
export { ownerTag } from "./tags.server.ts";
export { inputOf, outputOf, performForShopper } from "./operations.server.ts";
export { failurePage } from "./pages/failure-page.ts";
export { askToWithdraw, withdraw } from "./pages/withdraw.server.ts";
export { pageOfForm, type Form, type FormFields } from "./pages/forms.server.ts";
export type { LiquidPage } from "./pages/liquid-page.ts";
export { FIRST_PAGE } from "./pages/list-view.ts";
export { textsFor } from "./pages/texts.ts";
export { followAlert } from "./pages/alert-link.server.ts";
export { myWishlist, wishlistFragment } from "./pages/my-wishlist.server.ts";
export { sharedWishlist } from "./pages/shared-wishlist.server.ts";
export {
  alertsForm,
  askForm,
  createListForm,
  deleteListForm,
  moveItemForm,
  removeForm,
  renameListForm,
  restoreListForm,
  updateItemForm,
} from "./form-schemas.ts";
export {
  addedData,
  askBody,
  fragmentBody,
  itemBody,
  lineBody,
  listBody,
  listData,
  listsBody,
  listsData,
  mergeBody,
  mergedData,
  pageQuery,
  removedData,
  savedBody,
  savedData,
  savedLineData,
  savedSharedData,
  saveSharedBody,
  signedQuery,
  withdrawBody,
} from "./schemas.ts";
