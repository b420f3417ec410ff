import { useLoaderData } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { revalidateUnlessFailed, formClientAction } from "../admin/form-request.ts";
import { DeliveryPage } from "../admin/webhooks/delivery-page.tsx";
import { adminAction, emptyForm, form } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader, type AdminRequest, notFound } from "../http/admin/loader.server.ts";
import { now } from "../platform/clock.server.ts";
import { flowCall } from "../flow/index.server.ts";
import { Failure } from "../platform/failure.ts";
import {
  FLOW,
  isChannel,
  readDelivery,
  redeliver,
  redeliveredSchema,
  type EndpointReference,
} from "../webhooks/index.server.ts";

function idsOf({ params }: AdminRequest): [endpoint: EndpointReference, deliveryId: string] {
  const { webhookId = "", deliveryId = "" } = params;
  return [isChannel(webhookId) ? { endpointId: webhookId } : webhookId, deliveryId];
}

export const loader = adminLoader(async (request) => {
  const at = now();
  const [endpoint, deliveryId] = idsOf(request);
  const details = await readDelivery(request.shop.id, endpoint, deliveryId, at);
  if (details instanceof Failure) throw notFound();
  const { body } = details;
  const sent =
    typeof endpoint !== "string" && endpoint.endpointId === FLOW.endpointId && body !== undefined
      ? flowCall(body)
      : undefined;
  return { ...details, body: sent ? JSON.stringify(sent) : body, at, idempotencyKey: request.idempotencyKey };
});

export const action = adminAction({
  redeliver: form(emptyForm, (submission) => {
    const [endpoint, deliveryId] = idsOf(submission);
    return submission.runIdempotently(redeliveredSchema, (tx) =>
      redeliver(tx, submission.shop.id, endpoint, deliveryId),
    );
  }),
});

export const clientAction = formClientAction;

export const shouldRevalidate = revalidateUnlessFailed;

export default function Delivery() {
  return <DeliveryPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
