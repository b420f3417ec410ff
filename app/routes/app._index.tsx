import { useLoaderData } from "@remix-run/react";
import { activeKeys } from "../access/index.server.ts";
import { PageError } from "../admin/error-page.tsx";
import { revalidateUnlessFailed, formClientAction } from "../admin/form-request.ts";
import { HomePage } from "../admin/home/home-page.tsx";
import { daily } from "../analytics/index.server.ts";
import { adminAction, emptyForm, form } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader } from "../http/admin/loader.server.ts";
import { permissionForm, withheldFlowEvents } from "../http/admin/permission.server.ts";
import { now } from "../platform/clock.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { appClientId } from "../shopify.server.ts";
import { setupState, showSetupGuide } from "../shops/index.server.ts";
import { monitorWebhooks } from "../webhooks/index.server.ts";

export const loader = adminLoader(async (request) => {
  const { shop } = request;
  const [setup, keys, webhooks, { days }, withheld] = await Promise.all([
    setupState(shop.id),
    activeKeys(shop.id),
    monitorWebhooks(shop.id),
    daily(shop.id, 30),
    withheldFlowEvents(request),
  ]);
  return { apiKey: appClientId(), domain: shop.domain, setup, keys, webhooks, days, withheld, at: now() };
});

export const action = adminAction({
  permission: permissionForm,
  "dismiss-setup": form(emptyForm, ({ shop }) => transaction(shop.id, (tx) => showSetupGuide(tx, shop.id, false))),
  "show-setup": form(emptyForm, ({ shop }) => transaction(shop.id, (tx) => showSetupGuide(tx, shop.id, true))),
});

export const clientAction = formClientAction;

export const shouldRevalidate = revalidateUnlessFailed;

export default function Home() {
  return <HomePage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
