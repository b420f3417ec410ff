import { useLoaderData } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { revalidateUnlessFailed, formClientAction } from "../admin/form-request.ts";
import { DeliveryPage } from "../admin/webhooks/delivery-page.tsx";
import { adminAction, emptyForm, form } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader, type AdminRequest, notFound } from "../http/admin/loader.server.ts";
import { now } from "../platform/clock.server.ts";
import { Failure } from "../platform/failure.ts";
import { redeliver, redeliveredSchema, readDelivery } from "../webhooks/index.server.ts";

function idsOf({ params }: AdminRequest): [webhookId: string, deliveryId: string] {
  return [params["webhookId"] ?? "", params["deliveryId"] ?? ""];
}

export const loader = adminLoader(async (request) => {
  const at = now();
  const details = await readDelivery(request.shop.id, ...idsOf(request), at);
  if (details instanceof Failure) throw notFound();
  return { ...details, at, idempotencyKey: request.idempotencyKey };
});

export const action = adminAction({
  redeliver: form(emptyForm, (submission) => {
    const [webhookId, deliveryId] = idsOf(submission);
    return submission.runIdempotently(redeliveredSchema, (tx) =>
      redeliver(tx, submission.shop.id, webhookId, deliveryId),
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
