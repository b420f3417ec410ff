import { useLoaderData } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { formClientAction, revalidateUnlessFailed } from "../admin/form-request.ts";
import { FlowPage, UnusedFlowPage } from "../admin/webhooks/flow-page.tsx";
import { OPTIONAL_SCOPES } from "../shopify-sessions/index.server.ts";
import { FLOW_EVENTS } from "../flow/index.server.ts";
import { adminAction } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader } from "../http/admin/loader.server.ts";
import { permissionForm, withheldFlowEvents } from "../http/admin/permission.server.ts";
import { hasScope } from "../http/admin/session.server.ts";
import { outageForms } from "../http/admin/webhook-forms.server.ts";
import { now } from "../platform/clock.server.ts";
import { Failure } from "../platform/failure.ts";
import { FLOW, logFilter, readWebhook } from "../webhooks/index.server.ts";

export const loader = adminLoader(async (request) => {
  const { shop, query, idempotencyKey } = request;
  const at = now();
  const filter = logFilter.parse(Object.fromEntries(query));
  const [found, withheld] = await Promise.all([readWebhook(shop.id, FLOW, filter, at), withheldFlowEvents(request)]);
  // No workflow has used a trigger yet.
  const details = found instanceof Failure ? undefined : found;
  const isAllowed = hasScope(request, OPTIONAL_SCOPES.customers);
  return { details, withheld, isAllowed, flowEvents: FLOW_EVENTS, at, idempotencyKey };
});

export const action = adminAction({ ...outageForms(() => FLOW), permission: permissionForm });

export const clientAction = formClientAction;

export const shouldRevalidate = revalidateUnlessFailed;

export default function Flow() {
  const { details, isAllowed, ...page } = useLoaderData<typeof loader>();
  return details ? <FlowPage {...details} {...page} /> : <UnusedFlowPage isAllowed={isAllowed} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
