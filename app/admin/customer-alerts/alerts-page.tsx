import { BlockStack } from "@shopify/polaris";
import { useCallback, useState } from "react";
import type { AlertKind } from "../../alerts/kinds.ts";
import type { AlertResults, ConsentCounts } from "../../alerts/report.ts";
import type { AlertSettings } from "../../alerts/settings-form.ts";
import type { Event } from "../../webhooks/events/events.ts";
import { AdminPage } from "../admin-page.tsx";
import { SettingsSection } from "../settings/settings-section.tsx";
import { ChannelsCard, type AlertChannels } from "./channels-card.tsx";
import { AlertSettingsForm } from "./alert-settings-form.tsx";
import { InventoryCard } from "./inventory-card.tsx";
import { OfferCard, type SoldOut } from "./offer-card.tsx";
import { PayloadCard } from "./payload-card.tsx";
import { SetupBanner } from "./setup-banner.tsx";
import { ResultsCard } from "./results-card.tsx";

/** Configures alerts and shows their results. */
export function AlertsPage(props: {
  settings: AlertSettings;
  /** name of the plan that alerts need; undefined when included */
  requiredPlan: string | undefined;
  /** the most saved variants that are sold out, for the offer of the plan */
  soldOut: readonly SoldOut[];
  timeZone: string;
  results: AlertResults;
  consents: Readonly<Record<AlertKind | "all", ConsentCounts>>;
  currency: string | null;
  /** whether the merchant lets the app read orders */
  readsOrders: boolean;
  channels: AlertChannels;
  /** events that workflows of Shopify Flow wait for and don't get, because the app may not read customers */
  withheld: readonly Event[];
  payloads: Readonly<Record<AlertKind, string>>;
}) {
  const { settings, requiredPlan, soldOut, timeZone, results, consents, channels, withheld, payloads } = props;
  const { currency, readsOrders } = props;
  const received = [...channels.email.kinds, ...channels.flow, ...channels.webhooks];
  const { sent, notSent, waiting } = results.all;
  const hasUsed = settings.version > 0 || settings.kinds.length > 0 || sent + notSent + waiting > 0;
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
          <SetupBanner
            kinds={settings.kinds}
            mode={settings.mode}
            {...{ received, withheld, consents }}
            hasEmail={channels.email.isAvailable}
          />
        ) : (
          <OfferCard requiredPlan={requiredPlan} soldOut={soldOut} kinds={settings.kinds} />
        )}
        {/* Results of the time before a downgrade stay readable. */}
        {(requiredPlan === undefined || hasUsed) && (
          <ResultsCard
            results={results}
            consents={settings.mode === "consent" ? consents : undefined}
            {...{ currency, readsOrders }}
          />
        )}
        {requiredPlan === undefined && (
          <>
            <SettingsSection title="Channels" description="The ways by which alerts reach customers.">
              <ChannelsCard {...channels} />
            </SettingsSection>
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
