import { Banner, Link } from "@shopify/polaris";
import { ALERT_KINDS, type AlertKind, type AlertMode } from "../../alerts/kinds.ts";
import type { ConsentCounts } from "../../alerts/report.ts";
import type { Event } from "../../webhooks/events/events.ts";
import { EmailPermissionBanner, FlowPermissionBanner } from "../customers-permission.tsx";
import { FLOW_PATH, newWebhookPath } from "../webhooks/webhook-data.ts";
import { ALERT_LABELS, EMAIL_SETTINGS_PATH } from "./alert-labels.ts";

function alertEvent(kind: AlertKind): Event {
  return `wishlist.alert.${kind}`;
}

/** Says which step is missing until alerts reach customers: the settings, a receiver, or customers who ask. */
export function SetupBanner(props: {
  kinds: readonly AlertKind[];
  mode: AlertMode;
  /** kinds that a webhook receives */
  received: readonly AlertKind[];
  /** events that workflows of Shopify Flow wait for and don't get, because the app may not read customers */
  withheld: readonly Event[];
  /** kinds that are not emailed, because the app may not read customers */
  withheldEmails: readonly AlertKind[];
  /** undefined when they could not be read */
  consents: Readonly<Record<AlertKind, ConsentCounts>> | undefined;
  /** whether the operator has set a mail server */
  hasEmail: boolean;
}) {
  const { kinds, mode, received, withheld, withheldEmails, consents, hasEmail } = props;
  if (kinds.length === 0) {
    return (
      <Banner title="Alerts are off">
        <p>
          Tell customers when a product on their wishlist becomes cheaper, sells out or is back. Choose what to send
          below, then whether the app emails them itself or hands them to your marketing tool.
        </p>
      </Banner>
    );
  }
  const refused = withheld.filter((event) => kinds.some((kind) => event === alertEvent(kind)));
  if (refused.length > 0) return <FlowPermissionBanner withheld={refused} />;
  if (kinds.some((kind) => withheldEmails.includes(kind))) return <EmailPermissionBanner />;
  const unreceived = ALERT_KINDS.filter((kind) => kinds.includes(kind) && !received.includes(kind));
  if (unreceived.length > 0) {
    const names = unreceived.map((kind) => ALERT_LABELS[kind].label).join(", ");
    return (
      <Banner
        tone="warning"
        title="Some alerts have no receiver"
        action={
          hasEmail
            ? { content: "Email customers", url: EMAIL_SETTINGS_PATH }
            : { content: "Use Shopify Flow (no code)", url: FLOW_PATH }
        }
        secondaryAction={{ content: "Add a webhook", url: newWebhookPath(unreceived.map(alertEvent)) }}
      >
        <p>
          Nothing sends these alerts to customers: {names}. {hasEmail ? "The app can email them. " : ""}
          <Link url={FLOW_PATH}>Shopify Flow</Link> hands them to your marketing tool without code, a webhook to your
          own program.
        </p>
      </Banner>
    );
  }
  if (mode === "consent" && consents && kinds.every((kind) => consents[kind].consented === 0)) {
    return (
      <Banner title="No customer has asked for alerts yet">
        <p>
          Customers choose alerts on the wishlist page of your store. Alerts are sent to those who ask, and only for the
          kinds that they choose.
        </p>
      </Banner>
    );
  }
  return null;
}
