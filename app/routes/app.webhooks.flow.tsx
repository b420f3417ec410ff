import { useLoaderData } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { formClientAction, revalidateUnlessFailed } from "../admin/form-request.ts";
import { FlowPage, UnusedFlowPage } from "../admin/webhooks/flow-page.tsx";
import { FLOW_EVENTS } from "../flow/index.server.ts";
import { adminAction } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader } from "../http/admin/loader.server.ts";
import { outageForms } from "../http/admin/webhook-forms.server.ts";
import { now } from "../platform/clock.server.ts";
import { Failure } from "../platform/failure.ts";
import { FLOW, logFilter, readWebhook } from "../webhooks/index.server.ts";

export const loader = adminLoader(async ({ shop, query, idempotencyKey }) => {
  const at = now();
  const details = await readWebhook(shop.id, FLOW, logFilter.parse(Object.fromEntries(query)), at);
  // No workflow has used a trigger yet.
  if (details instanceof Failure) return null;
  return { ...details, flowEvents: FLOW_EVENTS, at, idempotencyKey };
});

export const action = adminAction(outageForms(() => FLOW));

export const clientAction = formClientAction;

export const shouldRevalidate = revalidateUnlessFailed;

export default function Flow() {
  const details = useLoaderData<typeof loader>();
  return details ? <FlowPage {...details} /> : <UnusedFlowPage />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
