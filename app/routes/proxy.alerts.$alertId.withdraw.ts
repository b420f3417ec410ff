import { z } from "zod";
import { FORM_BODY } from "../http/body.server.ts";
import { endpoint, noBody } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { letterReader, shopper } from "../http/proxy/policies.server.ts";
import { askToWithdraw, failurePage, signedQuery, withdraw } from "../storefront/index.server.ts";

const params = z.strictObject({ alertId: z.string() });

const getWithdrawal = endpoint({
  method: "GET",
  operationId: "askToWithdraw",
  tag: "Storefront",
  summary: "Asks whether alerts of a kind shall end, by the link of one of them",
  access: shopper,
  params,
  query: signedQuery,
  body: noBody,
  data: "application/liquid",
  failurePage,
  handle: ({ caller, params: { alertId } }) => askToWithdraw(caller, alertId),
});

const postWithdrawal = endpoint({
  method: "POST",
  operationId: "withdrawByLink",
  tag: "Storefront",
  summary: "Ends alerts of a kind, by the link of one of them",
  access: letterReader,
  params,
  query: signedQuery,
  // A mail program sends `List-Unsubscribe=One-Click`.
  body: z.looseObject({}),
  format: FORM_BODY,
  data: "application/liquid",
  failurePage,
  handle: ({ caller, params: { alertId } }) => withdraw(caller, alertId),
});

const route = resource("/proxy/alerts/{alertId}/withdraw", [getWithdrawal, postWithdrawal], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
