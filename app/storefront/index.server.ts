export { identifyShopper, isCustomer, type Customer, type Shopper } from "./identity.server.ts";
export { add, cart, list, merge, remove, saved } from "./items.server.ts";
export { share, unshare } from "./sharing.server.ts";
export {
  addedData,
  cartBody,
  cartData,
  itemBody,
  listBody,
  listData,
  mergeBody,
  mergedData,
  nothingBody,
  removedData,
  savedBody,
  savedData,
  sharedData,
  signedQuery,
  unsharedData,
} from "./schemas.ts";
