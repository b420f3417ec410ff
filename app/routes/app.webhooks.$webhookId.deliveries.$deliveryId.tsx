import { useLoaderData } from "@remix-run/react";
import { emptyForm } from "../access/index.server.ts";
import { PageError } from "../admin/error-page.tsx";
import { keepShown, keepTyped } from "../admin/form.ts";
import { DeliveryPage } from "../admin/webhooks/delivery-page.tsx";
import { adminAction, adminHeaders, adminLoader, form, notFound, type Visit } from "../http/admin/admin.server.ts";
import { now } from "../platform/clock.server.ts";
import { Failure } from "../platform/failure.ts";
import { redeliver, redeliveredSchema, wakeDeliveries, watchDelivery } from "../webhooks/index.server.ts";

function idsOf({ params }: Visit): [webhookId: string, deliveryId: string] {
  return [params["webhookId"] ?? "", params["deliveryId"] ?? ""];
}

export const loader = adminLoader(async (visit) => {
  const at = now();
  const details = await watchDelivery(visit.shop.id, ...idsOf(visit), at);
  if (details instanceof Failure) throw notFound();
  return { ...details, at, submission: visit.submission };
});

export const action = adminAction({
  redeliver: form(emptyForm, async (sent) => {
    const [webhookId, deliveryId] = idsOf(sent);
    const made = await sent.once(redeliveredSchema, (tx) => redeliver(tx, sent.shop.id, webhookId, deliveryId));
    if (!(made instanceof Failure)) wakeDeliveries({ shopId: sent.shop.id, endpointIds: [webhookId] });
    return made;
  }),
});

export const clientAction = keepTyped;

export const shouldRevalidate = keepShown;

export default function Delivery() {
  return <DeliveryPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
