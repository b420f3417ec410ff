import { operations as requestOperations } from "../../contacts/index.server.ts";
import { LIST_BODY_LIMIT } from "../../http/body.server.ts";
import { endpoint, noParameters } from "../../http/endpoint.server.ts";
import { listCall, scriptCall, shopperOperation } from "../../http/proxy/endpoints.server.ts";
import { asker, customer, listOwner, shopper } from "../../http/proxy/policies.server.ts";
import type { EndpointTable } from "../../http/resource.server.ts";
import { Failure } from "../../platform/failure.ts";
import {
  add,
  addedData,
  askBody,
  askForAlert,
  forShoppers,
  fragmentBody,
  itemBody,
  lineBody,
  list,
  listBody,
  listData,
  listsBody,
  listsData,
  merge,
  mergeBody,
  mergedData,
  remove,
  removedData,
  saved,
  savedBody,
  savedData,
  savedLineData,
  savedSharedData,
  saveLine,
  saveShared,
  saveSharedBody,
  showLists,
  signedQuery,
  wishlistFragment,
  withdrawAlert,
  withdrawBody,
} from "../../storefront/index.server.ts";
import { operations } from "../../wishlists/index.server.ts";

/** What the scripts of the theme and of the wishlist page call. */
export const scripts: EndpointTable = {
  "POST /proxy/api/add": listCall({
    operationId: "saveForShopper",
    summary: "Save a product",
    body: itemBody,
    data: addedData,
    handle: add,
  }),
  "POST /proxy/api/remove": listCall({
    operationId: "removeForShopper",
    performs: operations.removeListItem.operationId,
    summary: "Remove a product",
    body: itemBody,
    data: removedData,
    handle: remove,
  }),
  "POST /proxy/api/merge": listCall({
    operationId: "foldGuest",
    summary: "Merge the guest's list into the customer's at login",
    access: customer,
    bodyLimit: LIST_BODY_LIMIT,
    body: mergeBody,
    data: mergedData,
    handle: merge,
  }),
  "POST /proxy/api/saved": scriptCall({
    operationId: "findSaved",
    summary: "List the saved products among those of a page",
    bodyLimit: LIST_BODY_LIMIT,
    body: savedBody,
    data: savedData,
    handle: saved,
  }),
  "POST /proxy/api/saveShared": listCall({
    operationId: "saveSharedForShopper",
    performs: operations.changeListItems.operationId,
    summary: "Save the items of a shared list",
    body: saveSharedBody,
    data: savedSharedData,
    handle: saveShared,
  }),
  "POST /proxy/api/saveLine": listCall({
    operationId: "saveLineForShopper",
    summary: "Save a line of the cart for later",
    body: lineBody,
    data: savedLineData,
    handle: saveLine,
  }),
  "POST /proxy/api/list": endpoint({
    operationId: "listShoppersItems",
    tag: "Storefront",
    summary: "Read the shopper's list",
    access: listOwner,
    params: noParameters,
    query: signedQuery,
    body: listBody,
    data: listData,
    async handle({ caller, body }) {
      const json = await list(caller, body);
      return json instanceof Failure ? forShoppers(json) : { json };
    },
  }),
  "POST /proxy/api/askForAlert": scriptCall({
    operationId: "askForAlert",
    performs: requestOperations.createAlertRequest.operationId,
    summary: "Ask for an alert about a variant",
    access: asker,
    body: askBody,
    data: requestOperations.createAlertRequest.data,
    handle: askForAlert,
  }),
  "POST /proxy/api/withdrawAlert": scriptCall({
    operationId: "withdrawAlert",
    performs: requestOperations.removeAlertRequests.operationId,
    summary: "Withdraw what the customer has asked for",
    access: customer,
    body: withdrawBody,
    data: requestOperations.removeAlertRequests.data,
    handle: withdrawAlert,
  }),
  "POST /proxy/api/lists": listCall({
    operationId: "listShoppersLists",
    summary: "Read the shopper's lists",
    body: listsBody,
    data: listsData,
    handle: showLists,
  }),

  // operations that the API has, too
  "POST /proxy/api/createList": shopperOperation(operations.createList),
  "POST /proxy/api/updateList": shopperOperation(operations.updateList),
  "POST /proxy/api/deleteList": shopperOperation(operations.deleteList),
  "POST /proxy/api/restoreList": shopperOperation(operations.restoreList),
  "POST /proxy/api/updateListItem": shopperOperation(operations.updateListItem),
  "POST /proxy/api/changeListItems": shopperOperation(operations.changeListItems),
  "POST /proxy/api/moveListItems": shopperOperation(operations.moveListItems),
  "POST /proxy/api/recordCart": shopperOperation(operations.recordCart),
  "POST /proxy/api/shareList": shopperOperation(operations.shareList),
  "POST /proxy/api/updateListShareLink": shopperOperation(operations.updateListShareLink),
  "POST /proxy/api/revokeListShareLink": shopperOperation(operations.revokeListShareLink),

  "POST /proxy/api/page": endpoint({
    operationId: "showWishlistFragment",
    tag: "Storefront",
    summary: "The shopper's wishlist without the theme's layout, to be put into a page",
    access: shopper,
    params: noParameters,
    query: signedQuery,
    body: fragmentBody,
    data: "application/liquid",
    handle: ({ caller, body }) => wishlistFragment(caller, body),
  }),
};
