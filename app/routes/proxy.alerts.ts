import { FORM_BODY } from "../http/body.server.ts";
import { endpoint, noParameters } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { customer } from "../http/proxy/policies.server.ts";
import { getMyWishlist } from "../http/proxy/wishlist-page.server.ts";
import { alertsForm, askForAlertsByForm, failurePage, signedQuery } from "../storefront/index.server.ts";

const postAlerts = endpoint({
  method: "POST",
  operationId: "askForAlertsByForm",
  tag: "Storefront",
  summary: "Record which alerts the customer asks for, and show the page again",
  access: customer,
  params: noParameters,
  query: signedQuery,
  body: alertsForm,
  format: FORM_BODY,
  data: "application/liquid",
  failurePage,
  handle: ({ caller, body }) => askForAlertsByForm(caller, body),
});

const route = resource("/proxy/alerts", [getMyWishlist, postAlerts], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
