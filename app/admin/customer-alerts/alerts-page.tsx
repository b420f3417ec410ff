import { BlockStack } from "@shopify/polaris";
import { useCallback, useState } from "react";
import { ALERT_KINDS, type AlertKind } from "../../alerts/kinds.ts";
import type { AlertTotals } from "../../alerts/report.ts";
import type { AlertSettings } from "../../alerts/settings-form.ts";
import type { Event } from "../../webhooks/events/events.ts";
import { AdminPage } from "../admin-page.tsx";
import { SettingsSection } from "../settings/settings-section.tsx";
import { AlertSettingsForm } from "./alert-settings-form.tsx";
import { InventoryCard } from "./inventory-card.tsx";
import { OfferCard, type SoldOut } from "./offer-card.tsx";
import { PayloadCard } from "./payload-card.tsx";
import { SetupBanner } from "./setup-banner.tsx";
import { TotalsCard } from "./totals-card.tsx";

/** Configures alerts and shows their results. */
export function AlertsPage(props: {
  settings: AlertSettings;
  /** name of the plan that alerts need; undefined when included */
  requiredPlan: string | undefined;
  /** the most saved variants that are sold out, for the offer of the plan */
  soldOut: readonly SoldOut[];
  timeZone: string;
  totals: Readonly<Record<AlertKind, AlertTotals>>;
  /** customers who have asked, by kind */
  consented: Readonly<Record<AlertKind, number>>;
  /** kinds that a webhook receives */
  received: readonly AlertKind[];
  /** events that workflows of Shopify Flow wait for and don't get, because the app may not read customers */
  withheld: readonly Event[];
  payloads: Readonly<Record<AlertKind, string>>;
}) {
  const { settings, requiredPlan, soldOut, timeZone, totals, consented, received, withheld, payloads } = props;
  // Results of the time before a downgrade stay readable.
  const hasResults = ALERT_KINDS.some((kind) => totals[kind].sent > 0);
  // The form keeps the settings that it was opened with, even when another staff member saves in the meantime.
  const [initial, setInitial] = useState(settings);
  const onSaved = useCallback((saved: AlertSettings) => {
    setInitial(saved);
    shopify.toast.show("Alert settings saved");
  }, []);
  return (
    <AdminPage title="Alerts">
      <BlockStack gap="600">
        {requiredPlan === undefined ? (
          <SetupBanner kinds={settings.kinds} mode={settings.mode} {...{ received, withheld, consented }} />
        ) : (
          <OfferCard requiredPlan={requiredPlan} soldOut={soldOut} kinds={settings.kinds} />
        )}
        {(requiredPlan === undefined || hasResults) && (
          <TotalsCard totals={totals} consented={settings.mode === "consent" ? consented : undefined} />
        )}
        {requiredPlan === undefined && (
          <>
            <AlertSettingsForm
              key={initial.version}
              settings={initial}
              timeZone={timeZone}
              onSaved={onSaved}
              onReload={() => setInitial(settings)}
            />
            {settings.kinds.includes("low_stock") && <InventoryCard />}
            <SettingsSection title="Messages" description="What your webhooks receive for each alert.">
              <PayloadCard payloads={payloads} />
            </SettingsSection>
          </>
        )}
      </BlockStack>
    </AdminPage>
  );
}
