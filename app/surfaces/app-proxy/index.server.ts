import { z } from "zod";
import type { WithdrawalScope } from "../../alerts/index.server.ts";
import { noParameters } from "../../http/endpoint.server.ts";
import { page, pageOfLink, plainForm } from "../../http/proxy/endpoints.server.ts";
import { asker } from "../../http/proxy/policies.server.ts";
import { resourcesOf, type EndpointTable } from "../../http/resource.server.ts";
import { surface } from "../../http/surface.server.ts";
import {
  askByForm,
  askForm,
  askToConfirm,
  askToWithdraw,
  confirmByLink,
  followAlert,
  myWishlist,
  pageQuery,
  sharedWishlist,
  signedQuery,
  withdraw,
} from "../../storefront/index.server.ts";
import { forms } from "./forms.server.ts";
import { scripts } from "./scripts.server.ts";

/** Also at the addresses of the forms, where a browser without JavaScript stays after a form and returns by reload or bookmark. */
const showMyWishlist = page({
  operationId: "showMyWishlist",
  summary: "The shopper's wishlist as a page of the store",
  params: noParameters,
  query: pageQuery,
  handle: (caller, { query }) => myWishlist(caller, query),
});

/** A malformed id leads to the wishlist, as an unknown one does, because people may open an incomplete link. */
const alertInPath = z.strictObject({ alertId: z.string() });

const requestInPath = z.strictObject({ requestId: z.string() });

/** The page that asks whether alerts shall end, and its form. */
function withdrawal(scope: WithdrawalScope, path: `/proxy/${string}`): EndpointTable {
  const [suffix, what] = scope === "all" ? ["All", "all alerts of a customer"] : ["", "alerts of a kind"];
  return {
    [`GET ${path}`]: page({
      operationId: `askToWithdraw${suffix}`,
      summary: `Asks whether ${what} shall end, by the link of one of them`,
      params: alertInPath,
      query: signedQuery,
      handle: (caller, { params }) => askToWithdraw(caller, { ...params, scope }),
    }),
    [`POST ${path}`]: pageOfLink({
      operationId: `withdraw${suffix}ByLink`,
      summary: `Ends ${what}, by the link of one of them`,
      params: alertInPath,
      handle: (caller, { params }) => withdraw(caller, { ...params, scope }),
    }),
  };
}

/** What Shopify's app proxy forwards from the storefront. */
export const resources = resourcesOf(
  {
    "GET /proxy": showMyWishlist,
    "GET /proxy/": showMyWishlist,
    "GET /proxy/shared/{shareToken}": page({
      operationId: "showSharedWishlist",
      summary: "A shared wishlist as a page of the store",
      // A malformed token gets the same page as an unknown one, because people may open an incomplete link.
      params: z.strictObject({ shareToken: z.string() }),
      query: pageQuery,
      handle: (caller, { params, query, withBody }) => sharedWishlist(caller, params.shareToken, query.page, withBody),
    }),
    "GET /proxy/alerts/{alertId}": page({
      operationId: "followAlert",
      summary: "Leads from the link of an alert to its product",
      params: alertInPath,
      query: signedQuery,
      handle: (caller, { params }) => followAlert(caller, params.alertId),
    }),
    ...withdrawal("kind", "/proxy/alerts/{alertId}/withdraw"),
    ...withdrawal("all", "/proxy/alerts/{alertId}/withdraw/all"),
    "GET /proxy/requests/{requestId}": page({
      operationId: "askToConfirmRequest",
      summary: "Asks whether a request for an alert shall count, by the link that was emailed to its address",
      params: requestInPath,
      query: signedQuery,
      handle: (caller, { params }) => askToConfirm(caller, params.requestId),
    }),
    "POST /proxy/requests/{requestId}": pageOfLink({
      operationId: "confirmRequest",
      summary: "Confirms a request for an alert",
      params: requestInPath,
      handle: (caller, { params }) => confirmByLink(caller, params.requestId),
    }),
    "GET /proxy/alerts/ask": showMyWishlist,
    "POST /proxy/alerts/ask": plainForm({
      operationId: "askForAlertByForm",
      summary: "Ask for an alert about a variant",
      access: asker,
      body: askForm,
      handle: askByForm,
    }),
    ...Object.fromEntries(Object.keys(forms).map((path) => [path.replace("POST", "GET"), showMyWishlist])),
    ...forms,
    ...scripts,
  },
  "same-origin",
);

export const appProxy = surface(resources);
