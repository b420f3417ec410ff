import { useLoaderData } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { formClientAction, revalidateUnlessFailed } from "../admin/form-request.ts";
import { ChannelPage, UnusedChannelPage } from "../admin/webhooks/channel-page.tsx";
import { adminAction, emptyForm, form } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader } from "../http/admin/loader.server.ts";
import { outageForms, setEnabled } from "../http/admin/webhook-forms.server.ts";
import { KLAVIYO_EVENTS } from "../klaviyo/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { Failure } from "../platform/failure.ts";
import { KLAVIYO, logFilter, readWebhook } from "../webhooks/index.server.ts";

export const loader = adminLoader(async ({ shop, query, idempotencyKey }) => {
  const at = now();
  const found = await readWebhook(shop.id, KLAVIYO, logFilter.parse(Object.fromEntries(query)), at);
  // Nothing has been chosen yet.
  const details = found instanceof Failure ? undefined : found;
  return { details, events: KLAVIYO_EVENTS, at, idempotencyKey };
});

export const action = adminAction({
  ...outageForms(() => KLAVIYO),
  pause: form(emptyForm, (submission) => setEnabled(submission, KLAVIYO, false)),
});

export const clientAction = formClientAction;

export const shouldRevalidate = revalidateUnlessFailed;

export default function KlaviyoDeliveries() {
  const { details, ...page } = useLoaderData<typeof loader>();
  const place = { title: "Klaviyo deliveries", back: { label: "Klaviyo", url: "/app/alerts/klaviyo" } };
  if (!details) return <UnusedChannelPage {...place} />;
  return <ChannelPage {...details} {...page} {...place} actions={[]} canPause />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
