import { useLoaderData } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { keepShown, keepTyped } from "../admin/form.ts";
import { SettingsPage } from "../admin/settings/settings-page.tsx";
import { adminAction, adminHeaders, adminLoader, form, whose } from "../http/admin/admin.server.ts";
import { audit } from "../audit/index.server.ts";
import { readSettings, saveSettings, settingsForm, timeZones } from "../settings/index.server.ts";

export const loader = adminLoader(async ({ shop }) => ({
  settings: await readSettings(shop.id),
  timeZones: timeZones(),
}));

export const action = adminAction({
  save: form(settingsForm, (sent, { version, ...change }) =>
    saveSettings(sent.shop.id, change, version, (details, tx) =>
      audit(tx, { ...whose(sent), act: "settings.changed", details: { ...details } }),
    ),
  ),
});

export const clientAction = keepTyped;

export const shouldRevalidate = keepShown;

/** What the merchant can settle. */
export default function Settings() {
  return <SettingsPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
