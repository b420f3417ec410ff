export {
  addItem,
  addListItem,
  changeListItems,
  getListItems,
  getWishlist,
  mergeWishlist,
  moveListItems,
  recordCart,
  removeItem,
  removeListItem,
  updateListItem,
} from "./items.server.ts";
export {
  createList,
  deleteList,
  getList,
  getListHistory,
  getLists,
  getListsContaining,
  restoreList,
  updateList,
} from "./lists.server.ts";
export {
  revokeListShareLink,
  revokeShareLink,
  shareList,
  shareWishlist,
  updateListShareLink,
  updateShareLink,
} from "./sharing.server.ts";
