import { useLoaderData } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { formClientAction, revalidateUnlessFailed } from "../admin/form-request.ts";
import { WebhooksPage } from "../admin/webhooks/webhooks-page.tsx";
import { OPTIONAL_SCOPES } from "../shopify-sessions/index.server.ts";
import { adminAction } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader } from "../http/admin/loader.server.ts";
import { permissionForm, withheldFlowEvents } from "../http/admin/permission.server.ts";
import { hasScope } from "../http/admin/session.server.ts";
import { now } from "../platform/clock.server.ts";
import { readWebhooks } from "../webhooks/index.server.ts";

export const loader = adminLoader(async (request) => {
  const [found, withheld] = await Promise.all([readWebhooks(request.shop.id, now()), withheldFlowEvents(request)]);
  return { ...found, withheld, isAllowed: hasScope(request, OPTIONAL_SCOPES.customers) };
});

export const action = adminAction({ permission: permissionForm });

export const clientAction = formClientAction;

export const shouldRevalidate = revalidateUnlessFailed;

export default function Webhooks() {
  return <WebhooksPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
