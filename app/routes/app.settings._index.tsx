import { useLoaderData } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { revalidateUnlessFailed, formClientAction } from "../admin/form-request.ts";
import { SettingsPage } from "../admin/settings/settings-page.tsx";
import { adminAction, form } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader } from "../http/admin/loader.server.ts";
import { actorOf } from "../http/admin/session.server.ts";
import { audit } from "../audit/index.server.ts";
import { readSettings, saveSettings, settingsForm, timeZones } from "../settings/index.server.ts";

export const loader = adminLoader(async ({ shop }) => ({
  settings: await readSettings(shop.id),
  timeZones: timeZones(),
}));

export const action = adminAction({
  save: form(settingsForm, (submission, { version, ...change }) =>
    saveSettings(submission.shop.id, change, version, (details, tx) =>
      audit(tx, { ...actorOf(submission), act: "settings.changed", details: { ...details } }),
    ),
  ),
});

export const clientAction = formClientAction;

export const shouldRevalidate = revalidateUnlessFailed;

export default function Settings() {
  return <SettingsPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
