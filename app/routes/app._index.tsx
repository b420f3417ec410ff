import { useLoaderData } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { revalidateUnlessFailed, formClientAction } from "../admin/form-request.ts";
import { HomePage } from "../admin/home/home-page.tsx";
import { missingPlan } from "../billing/index.server.ts";
import { adminAction, emptyForm, form } from "../http/admin/action.server.ts";
import { readHome } from "../http/admin/home.server.ts";
import { adminHeaders, adminLoader } from "../http/admin/loader.server.ts";
import { permissionForm } from "../http/admin/permission.server.ts";
import { hasScope } from "../http/admin/session.server.ts";
import { now } from "../platform/clock.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { appClientId } from "../shopify.server.ts";
import { recordMenuLink, showSetupGuide } from "../shops/index.server.ts";
import { OPTIONAL_SCOPES } from "../shopify-sessions/index.server.ts";

export const loader = adminLoader(async (request) => {
  const { domain, currency, plan, ordersReportedSince } = request.shop;
  const home = await readHome(request);
  return {
    ...home,
    apiKey: appClientId(),
    domain,
    currency,
    readsOrders: hasScope(request, OPTIONAL_SCOPES.orders),
    ordersReported: ordersReportedSince !== null,
    missingPlan: missingPlan(plan, home.billing?.frozen, "alerts"),
    at: now(),
  };
});

export const action = adminAction({
  permission: permissionForm,
  "dismiss-setup": form(emptyForm, ({ shop }) => transaction(shop.id, (tx) => showSetupGuide(tx, shop.id, false))),
  "show-setup": form(emptyForm, ({ shop }) => transaction(shop.id, (tx) => showSetupGuide(tx, shop.id, true))),
  "menu-linked": form(emptyForm, ({ shop }) => transaction(shop.id, (tx) => recordMenuLink(tx, shop.id, true))),
  "menu-not-linked": form(emptyForm, ({ shop }) => transaction(shop.id, (tx) => recordMenuLink(tx, shop.id, false))),
});

export const clientAction = formClientAction;

export const shouldRevalidate = revalidateUnlessFailed;

export default function Home() {
  return <HomePage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
