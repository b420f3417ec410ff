import { useLoaderData } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { revalidateUnlessFailed, formClientAction } from "../admin/form-request.ts";
import { SettingsPage } from "../admin/settings/settings-page.tsx";
import { adminAction, form } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader } from "../http/admin/loader.server.ts";
import { actorOf } from "../http/admin/session.server.ts";
import { readMissingPlan } from "../billing/index.server.ts";
import { audit } from "../audit/index.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { Failure } from "../platform/failure.ts";
import { readSettings, saveSettings, settingsForm, timeZones } from "../settings/index.server.ts";

export const loader = adminLoader(async ({ shop }) => {
  const [settings, listsPlan] = await Promise.all([readSettings(shop.id), readMissingPlan(shop, "lists")]);
  return { settings, listsPlan, timeZones: timeZones() };
});

export const action = adminAction({
  save: form(settingsForm, (submission, { version, ...change }) =>
    transaction(submission.shop.id, async (tx) => {
      const saved = await saveSettings(tx, submission.shop.id, change, version);
      if (saved instanceof Failure) return saved;
      for (const details of saved.changes) {
        await audit(tx, { ...actorOf(submission), action: "settings.changed", details: { ...details } });
      }
      return saved.settings;
    }),
  ),
});

export const clientAction = formClientAction;

export const shouldRevalidate = revalidateUnlessFailed;

export default function Settings() {
  return <SettingsPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
