import { z } from "zod";
import { endpoint, noBody } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { shopper } from "../http/proxy/policies.server.ts";
import { failurePage, followAlert, signedQuery } from "../storefront/index.server.ts";

const getAlert = endpoint({
  method: "GET",
  operationId: "followAlert",
  tag: "Storefront",
  summary: "Leads from the link of an alert to its product",
  access: shopper,
  // A malformed id leads to the wishlist, as an unknown one does, because people may open an incomplete link.
  params: z.strictObject({ alertId: z.string() }),
  query: signedQuery,
  body: noBody,
  data: "application/liquid",
  failurePage,
  handle: ({ caller, params }) => followAlert(caller, params.alertId),
});

const route = resource("/proxy/alerts/{alertId}", [getAlert], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
