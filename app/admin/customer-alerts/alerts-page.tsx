import { BlockStack } from "@shopify/polaris";
import type { AlertKind } from "../../alerts/kinds.ts";
import type { AlertResults, ConsentCounts } from "../../alerts/report.ts";
import type { AlertSettings } from "../../alerts/settings-form.ts";
import type { MissingPlan } from "../../billing/plans.ts";
import type { Event } from "../../webhooks/events/events.ts";
import { AdminPage } from "../admin-page.tsx";
import { LoadErrorCard } from "../analytics/load-error-card.tsx";
import { FrozenBanner } from "../frozen-banner.tsx";
import { SettingsSection } from "../settings/settings-section.tsx";
import { useOpenedSettings } from "../settings/use-opened-settings.ts";
import { ChannelsCard, type AlertChannels } from "./channels-card.tsx";
import { AlertSettingsForm } from "./alert-settings-form.tsx";
import { InventorySection } from "./inventory-section.tsx";
import { OfferCard, type SoldOut } from "./offer-card.tsx";
import { PayloadCard } from "./payload-card.tsx";
import { SetupBanner } from "./setup-banner.tsx";
import { RESULTS_TITLE, ResultsCard } from "./results-card.tsx";

function receivedKinds({ email, klaviyo, flow, webhooks }: AlertChannels): AlertKind[] {
  return [...email.kinds, ...klaviyo, ...flow, ...webhooks];
}

/** Configures alerts and shows their results. */
export function AlertsPage(props: {
  settings: AlertSettings;
  /** the plan that alerts need; undefined when included */
  missingPlan: MissingPlan | undefined;
  /** the most saved variants that are sold out, for the offer of the plan */
  soldOut: readonly SoldOut[];
  timeZone: string;
  /** undefined when they could not be read, like the channels */
  outcome: { results: AlertResults; consents: Readonly<Record<AlertKind | "all", ConsentCounts>> } | undefined;
  currency: string | null;
  /** whether the merchant lets the app read orders */
  readsOrders: boolean;
  channels:
    | {
        ways: AlertChannels;
        /** events that workflows of Shopify Flow wait for and don't get, because the app may not read customers */
        withheld: readonly Event[];
      }
    | undefined;
  payloads: Readonly<Record<AlertKind, string>>;
}) {
  const { settings, missingPlan, soldOut, timeZone, outcome, channels, payloads } = props;
  const { currency, readsOrders } = props;
  const { sent, notSent, waiting } = outcome?.results.all ?? { sent: 0, notSent: 0, waiting: 0 };
  const hasUsed = settings.version > 0 || settings.kinds.length > 0 || sent + notSent + waiting > 0;
  const form = useOpenedSettings(settings);
  return (
    <AdminPage title="Alerts">
      <BlockStack gap="600">
        {missingPlan === undefined && channels && (
          <SetupBanner
            kinds={settings.kinds}
            mode={settings.mode}
            received={receivedKinds(channels.ways)}
            withheld={channels.withheld}
            withheldEmails={channels.ways.email.withheld}
            consents={outcome?.consents}
            hasEmail={channels.ways.email.isAvailable}
          />
        )}
        {missingPlan?.isFrozen === true && (
          <FrozenBanner planName={missingPlan.name}>
            Until then, no alerts are sent. Your settings are kept.
          </FrozenBanner>
        )}
        {missingPlan?.isFrozen === false && (
          <OfferCard requiredPlan={missingPlan.name} soldOut={soldOut} kinds={settings.kinds} />
        )}
        {/* Results of the time before a downgrade stay readable. */}
        {(missingPlan === undefined || hasUsed) &&
          (outcome ? (
            <ResultsCard
              results={outcome.results}
              consents={settings.mode === "consent" ? outcome.consents : undefined}
              {...{ currency, readsOrders }}
            />
          ) : (
            <LoadErrorCard title={RESULTS_TITLE} />
          ))}
        {missingPlan === undefined && (
          <>
            <SettingsSection title="Channels" description="The ways by which alerts reach customers.">
              {channels ? <ChannelsCard {...channels.ways} enabledKinds={settings.kinds} /> : <LoadErrorCard />}
            </SettingsSection>
            <AlertSettingsForm
              key={form.key}
              settings={form.opened}
              timeZone={timeZone}
              onSaved={form.onSaved}
              onReload={form.onReload}
            />
            {settings.kinds.includes("low_stock") && <InventorySection />}
            <SettingsSection title="Messages" description="What your webhooks receive for each alert.">
              <PayloadCard payloads={payloads} />
            </SettingsSection>
          </>
        )}
      </BlockStack>
    </AdminPage>
  );
}
