import { z } from "zod";
import { FORM_BODY, LIST_BODY_LIMIT } from "../http/body.server.ts";
import { endpoint, noBody, noParameters, type Endpoint } from "../http/endpoint.server.ts";
import type { Policy } from "../http/policy.server.ts";
import { asker, customer, linkHolder, listOwner, shopper } from "../http/proxy/policies.server.ts";
import { resourcesOf } from "../http/resource.server.ts";
import { surface } from "../http/surface.server.ts";
import { Failure } from "../platform/failure.ts";
import {
  add,
  addedData,
  alertsForm,
  askBody,
  askByForm,
  requestStateData,
  askForAlert,
  askForm,
  askForAlertsByForm,
  askToConfirm,
  askToWithdraw,
  confirmByLink,
  createListByForm,
  createListForm,
  deleteListByForm,
  deleteListForm,
  failurePage,
  followAlert,
  fragmentBody,
  inputOf,
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
  moveItemByForm,
  moveItemForm,
  myWishlist,
  outputOf,
  pageQuery,
  perform,
  remove,
  removeByForm,
  removedData,
  removeForm,
  renameListByForm,
  renameListForm,
  restoreListByForm,
  restoreListForm,
  saved,
  savedBody,
  savedData,
  savedLineData,
  savedSharedData,
  saveLine,
  saveShared,
  saveSharedBody,
  sharedWishlist,
  showLists,
  signedQuery,
  updateItemByForm,
  updateItemForm,
  wishlistFragment,
  withdraw,
  withdrawAlert,
  withdrawBody,
  withdrawnData,
  type Customer,
  type Shopper,
} from "../storefront/index.server.ts";

import { operations, type Operation } from "../wishlists/index.server.ts";
import type { WithdrawalScope } from "../alerts/index.server.ts";

const LIQUID = "application/liquid";

interface ScriptCall<Caller, Body extends z.ZodType, Data extends z.ZodType> {
  operationId: string;
  summary: string;
  access: Policy<Caller, z.output<Body>>;
  body: Body;
  bodyLimit?: number;
  data: Data;
  handle: (caller: Caller, body: z.output<Body>) => Promise<z.input<Data> | Failure>;
}

/** What the theme's and the page's scripts call. */
function scriptCall<Caller, Body extends z.ZodType, Data extends z.ZodType>(
  call: ScriptCall<Caller, Body, Data>,
): Endpoint {
  return endpoint({
    ...call,
    tag: "Storefront",
    params: noParameters,
    query: signedQuery,
    async handle({ caller, body }) {
      const data = await call.handle(caller, body);
      return data instanceof Failure ? data : { data };
    },
  });
}

/** Mounts an operation that the API has, too: its whole input is the body. */
function shopperOperation<
  Ids extends z.ZodObject,
  Options extends z.ZodObject,
  Body extends z.ZodType,
  Data extends z.ZodObject,
>(of: Operation<Ids, Options, Body, Data>): Endpoint {
  const { operationId, summary, customersOnly, inputLimit, data } = of;
  const call = {
    operationId,
    summary,
    ...(inputLimit !== undefined && { bodyLimit: inputLimit }),
    body: inputOf(of),
    data: outputOf(data),
    handle: (caller: Shopper, input: object) => perform(of, caller, input),
  };
  return customersOnly ? scriptCall({ ...call, access: customer }) : scriptCall({ ...call, access: listOwner });
}

interface Form<Body extends z.ZodType> {
  operationId: string;
  summary: string;
  body: Body;
  handle: (caller: Customer, body: z.output<Body>) => ReturnType<typeof removeByForm>;
}

/** A form of a browser without JavaScript, whose response is the page again. */
function form<Body extends z.ZodType>({ handle, ...declared }: Form<Body>): Endpoint {
  return endpoint({
    ...declared,
    tag: "Storefront",
    access: customer,
    params: noParameters,
    query: signedQuery,
    format: FORM_BODY,
    data: LIQUID,
    failurePage,
    handle: ({ caller, body }) => handle(caller, body),
  });
}

/** Also at the addresses of the forms, where a browser without JavaScript stays after a form and returns by reload or bookmark. */
const showMyWishlist = endpoint({
  operationId: "showMyWishlist",
  tag: "Storefront",
  summary: "The shopper's wishlist as a page of the store",
  access: shopper,
  params: noParameters,
  query: pageQuery,
  body: noBody,
  data: LIQUID,
  failurePage,
  handle: ({ caller, query }) => myWishlist(caller, query),
});

/** A malformed id leads to the wishlist, as an unknown one does, because people may open an incomplete link. */
const alertInPath = z.strictObject({ alertId: z.string() });

const requestInPath = z.strictObject({ requestId: z.string() });

const WITHDRAWN = { kind: "alerts of a kind", all: "all alerts of a customer" } as const;

function askBeforeWithdrawal(scope: WithdrawalScope): Endpoint {
  return endpoint({
    operationId: scope === "all" ? "askToWithdrawAll" : "askToWithdraw",
    tag: "Storefront",
    summary: `Asks whether ${WITHDRAWN[scope]} shall end, by the link of one of them`,
    access: shopper,
    params: alertInPath,
    query: signedQuery,
    body: noBody,
    data: LIQUID,
    failurePage,
    handle: ({ caller, params }) => askToWithdraw(caller, { ...params, scope }),
  });
}

function withdrawal(scope: WithdrawalScope): Endpoint {
  return endpoint({
    operationId: scope === "all" ? "withdrawAllByLink" : "withdrawByLink",
    tag: "Storefront",
    summary: `Ends ${WITHDRAWN[scope]}, by the link of one of them`,
    access: linkHolder,
    params: alertInPath,
    query: signedQuery,
    // A mail program sends `List-Unsubscribe=One-Click`.
    body: z.looseObject({}),
    format: FORM_BODY,
    data: LIQUID,
    failurePage,
    handle: ({ caller, params }) => withdraw(caller, { ...params, scope }),
  });
}

/** What Shopify's app proxy forwards from the storefront. */
export const resources = resourcesOf(
  {
    // pages
    "GET /proxy": showMyWishlist,
    "GET /proxy/": showMyWishlist,
    "GET /proxy/shared/{shareToken}": endpoint({
      operationId: "showSharedWishlist",
      tag: "Storefront",
      summary: "A shared wishlist as a page of the store",
      access: shopper,
      // A malformed token gets the same page as an unknown one, because people may open an incomplete link.
      params: z.strictObject({ shareToken: z.string() }),
      query: pageQuery,
      body: noBody,
      data: LIQUID,
      failurePage,
      handle: ({ caller, params, query, withBody }) => sharedWishlist(caller, params.shareToken, query.page, withBody),
    }),
    "GET /proxy/alerts/{alertId}": endpoint({
      operationId: "followAlert",
      tag: "Storefront",
      summary: "Leads from the link of an alert to its product",
      access: shopper,
      params: alertInPath,
      query: signedQuery,
      body: noBody,
      data: LIQUID,
      failurePage,
      handle: ({ caller, params }) => followAlert(caller, params.alertId),
    }),
    "GET /proxy/alerts/{alertId}/withdraw": askBeforeWithdrawal("kind"),
    "POST /proxy/alerts/{alertId}/withdraw": withdrawal("kind"),
    "GET /proxy/alerts/{alertId}/withdraw/all": askBeforeWithdrawal("all"),
    "POST /proxy/alerts/{alertId}/withdraw/all": withdrawal("all"),

    "GET /proxy/requests/{requestId}": endpoint({
      operationId: "askToConfirmRequest",
      tag: "Storefront",
      summary: "Asks whether a request for an alert shall count, by the link that was emailed to its address",
      access: shopper,
      params: requestInPath,
      query: signedQuery,
      body: noBody,
      data: LIQUID,
      failurePage,
      handle: ({ caller, params }) => askToConfirm(caller, params.requestId),
    }),
    "POST /proxy/requests/{requestId}": endpoint({
      operationId: "confirmRequest",
      tag: "Storefront",
      summary: "Confirms a request for an alert",
      access: linkHolder,
      params: requestInPath,
      query: signedQuery,
      body: z.looseObject({}),
      format: FORM_BODY,
      data: LIQUID,
      failurePage,
      handle: ({ caller, params }) => confirmByLink(caller, params.requestId),
    }),

    // forms of a browser without JavaScript
    "GET /proxy/alerts/ask": showMyWishlist,
    "POST /proxy/alerts/ask": endpoint({
      operationId: "askForAlertByForm",
      tag: "Storefront",
      summary: "Ask for an alert about a variant",
      access: asker,
      params: noParameters,
      query: signedQuery,
      body: askForm,
      format: FORM_BODY,
      data: LIQUID,
      failurePage,
      handle: ({ caller, body }) => askByForm(caller, body),
    }),
    "GET /proxy/alerts": showMyWishlist,
    "POST /proxy/alerts": form({
      operationId: "askForAlertsByForm",
      summary: "Record which alerts the customer asks for",
      body: alertsForm,
      handle: askForAlertsByForm,
    }),
    "GET /proxy/items/move": showMyWishlist,
    "POST /proxy/items/move": form({
      operationId: "moveItemByForm",
      summary: "Move or copy an item",
      body: moveItemForm,
      handle: moveItemByForm,
    }),
    "GET /proxy/items/remove": showMyWishlist,
    "POST /proxy/items/remove": form({
      operationId: "removeByForm",
      summary: "Remove an item",
      body: removeForm,
      handle: removeByForm,
    }),
    "GET /proxy/items/update": showMyWishlist,
    "POST /proxy/items/update": form({
      operationId: "updateItemByForm",
      summary: "Change the quantity and the note of an item",
      body: updateItemForm,
      handle: updateItemByForm,
    }),
    "GET /proxy/lists/create": showMyWishlist,
    "POST /proxy/lists/create": form({
      operationId: "createListByForm",
      summary: "Create a list",
      body: createListForm,
      handle: createListByForm,
    }),
    "GET /proxy/lists/delete": showMyWishlist,
    "POST /proxy/lists/delete": form({
      operationId: "deleteListByForm",
      summary: "Delete a list",
      body: deleteListForm,
      handle: deleteListByForm,
    }),
    "GET /proxy/lists/rename": showMyWishlist,
    "POST /proxy/lists/rename": form({
      operationId: "renameListByForm",
      summary: "Rename a list",
      body: renameListForm,
      handle: renameListByForm,
    }),
    "GET /proxy/lists/restore": showMyWishlist,
    "POST /proxy/lists/restore": form({
      operationId: "restoreListByForm",
      summary: "Take the deletion of a list back",
      body: restoreListForm,
      handle: restoreListByForm,
    }),

    // scripts
    "POST /proxy/api/add": scriptCall({
      operationId: "saveForShopper",
      summary: "Save a product",
      access: listOwner,
      body: itemBody,
      data: addedData,
      handle: add,
    }),
    "POST /proxy/api/remove": scriptCall({
      operationId: "removeForShopper",
      summary: "Remove a product",
      access: listOwner,
      body: itemBody,
      data: removedData,
      handle: remove,
    }),
    "POST /proxy/api/merge": scriptCall({
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
      access: listOwner,
      bodyLimit: LIST_BODY_LIMIT,
      body: savedBody,
      data: savedData,
      handle: saved,
    }),
    "POST /proxy/api/saveShared": scriptCall({
      operationId: "saveSharedForShopper",
      summary: "Save the items of a shared list",
      access: listOwner,
      body: saveSharedBody,
      data: savedSharedData,
      handle: saveShared,
    }),
    "POST /proxy/api/saveLine": scriptCall({
      operationId: "saveLineForShopper",
      summary: "Save a line of the cart for later",
      access: listOwner,
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
        return json instanceof Failure ? json : { json };
      },
    }),
    "POST /proxy/api/askForAlert": scriptCall({
      operationId: "askForAlert",
      summary: "Ask for an alert about a variant",
      access: asker,
      body: askBody,
      data: requestStateData,
      handle: askForAlert,
    }),
    "POST /proxy/api/withdrawAlert": scriptCall({
      operationId: "withdrawAlert",
      summary: "Withdraw what the customer has asked for",
      access: customer,
      body: withdrawBody,
      data: withdrawnData,
      handle: withdrawAlert,
    }),
    "POST /proxy/api/lists": scriptCall({
      operationId: "listShoppersLists",
      summary: "Read the shopper's lists",
      access: listOwner,
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
      data: LIQUID,
      handle: ({ caller, body }) => wishlistFragment(caller, body),
    }),
  },
  "same-origin",
);

export const appProxy = surface(resources);
