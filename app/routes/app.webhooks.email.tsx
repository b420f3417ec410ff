import { useLoaderData } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { formClientAction, revalidateUnlessFailed } from "../admin/form-request.ts";
import { ChannelPage, UnusedChannelPage } from "../admin/webhooks/channel-page.tsx";
import { ALERT_KINDS } from "../alerts/index.server.ts";
import { adminAction, emptyForm, form } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader } from "../http/admin/loader.server.ts";
import { outageForms, setEnabled } from "../http/admin/webhook-forms.server.ts";
import { now } from "../platform/clock.server.ts";
import { Failure } from "../platform/failure.ts";
import { EMAIL, logFilter, readWebhook } from "../webhooks/index.server.ts";

export const loader = adminLoader(async ({ shop, query, idempotencyKey }) => {
  const at = now();
  const found = await readWebhook(shop.id, EMAIL, logFilter.parse(Object.fromEntries(query)), at);
  // Nothing has been chosen yet.
  const details = found instanceof Failure ? undefined : found;
  const events = ALERT_KINDS.map((kind) => `wishlist.alert.${kind}` as const);
  return { details, events, at, idempotencyKey };
});

export const action = adminAction({
  ...outageForms(() => EMAIL),
  pause: form(emptyForm, (submission) => setEnabled(submission, EMAIL, false)),
});

export const clientAction = formClientAction;

export const shouldRevalidate = revalidateUnlessFailed;

export default function EmailDeliveries() {
  const { details, ...page } = useLoaderData<typeof loader>();
  const place = { title: "Emails", back: { label: "Email", url: "/app/alerts/email" } };
  if (!details) return <UnusedChannelPage {...place} />;
  return <ChannelPage {...details} {...page} {...place} actions={[]} canPause />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
