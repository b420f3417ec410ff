import { Badge, BlockStack, Button, Card, Divider, InlineStack, Text } from "@shopify/polaris";
import type { ReactNode } from "react";
import { ALERT_KINDS, type AlertKind } from "../../alerts/kinds.ts";
import { FLOW_PATH } from "../webhooks/webhook-data.ts";
import { ALERT_LABELS, EMAIL_SETTINGS_PATH, KLAVIYO_SETTINGS_PATH } from "./alert-labels.ts";

/** The kinds that each channel is set up for. Those among them that are on are sent. */
export interface AlertChannels {
  email: {
    /** empty while nothing is emailed */
    kinds: readonly AlertKind[];
    /** whether the operator has set a mail server */
    isAvailable: boolean;
    /** kinds that are not emailed, because the app may not read customers */
    withheld: readonly AlertKind[];
  };
  klaviyo: readonly AlertKind[];
  flow: readonly AlertKind[];
  webhooks: readonly AlertKind[];
}

function listKinds(kinds: readonly AlertKind[]): string {
  return ALERT_KINDS.filter((kind) => kinds.includes(kind))
    .map((kind) => ALERT_LABELS[kind].label)
    .join(", ");
}

/** Says which alerts a channel sends: of the kinds that it is set up for, those that are on. */
function describeKinds(on: readonly AlertKind[], kinds: readonly AlertKind[], about: string): string {
  if (on.length > 0) return listKinds(on);
  return kinds.length > 0 ? `Set up for alerts that are off: ${listKinds(kinds)}` : about;
}

function Channel(props: {
  title: string;
  kinds: readonly AlertKind[];
  enabledKinds: readonly AlertKind[];
  about: string;
  children: ReactNode;
}) {
  const { title, kinds, enabledKinds, about, children } = props;
  const on = kinds.filter((kind) => enabledKinds.includes(kind));
  return (
    <InlineStack align="space-between" blockAlign="center" gap="300">
      <div style={{ flex: "1 1 16rem" }}>
        <BlockStack gap="100">
          <InlineStack align="start" gap="200" blockAlign="center">
            <Text as="h3" variant="headingSm">
              {title}
            </Text>
            {on.length > 0 && <Badge tone="success">On</Badge>}
          </InlineStack>
          <Text as="p" tone="subdued">
            {describeKinds(on, kinds, about)}
          </Text>
        </BlockStack>
      </div>
      {children}
    </InlineStack>
  );
}

function describeEmail({ isAvailable, withheld }: AlertChannels["email"]): string {
  if (!isAvailable) return "Not available: the operator of this app has not set a mail server.";
  if (withheld.length > 0) return "No emails are sent until you allow access to customers.";
  return "The app emails customers, in their language and with your name.";
}

/**
 * Shows by which ways alerts reach customers, and leads to each.
 * @param props.enabledKinds kinds of alerts that are on
 */
export function ChannelsCard(props: AlertChannels & { enabledKinds: readonly AlertKind[] }) {
  const { email, klaviyo, flow, webhooks, enabledKinds } = props;
  return (
    <Card>
      <BlockStack gap="400">
        <Channel title="Email" kinds={email.kinds} enabledKinds={enabledKinds} about={describeEmail(email)}>
          <Button url={EMAIL_SETTINGS_PATH}>
            {email.kinds.length + email.withheld.length > 0 ? "Edit email" : "Set up email"}
          </Button>
        </Channel>
        <Divider />
        <Channel
          title="Klaviyo"
          kinds={klaviyo}
          enabledKinds={enabledKinds}
          about="Alerts and other events start flows in your account, without code."
        >
          <Button url={KLAVIYO_SETTINGS_PATH}>{klaviyo.length > 0 ? "Edit Klaviyo" : "Connect Klaviyo"}</Button>
        </Channel>
        <Divider />
        <Channel
          title="Shopify Flow"
          kinds={flow}
          enabledKinds={enabledKinds}
          about="A workflow hands alerts to your marketing tool, without code."
        >
          <Button url={FLOW_PATH}>View</Button>
        </Channel>
        <Divider />
        <Channel title="Webhooks" kinds={webhooks} enabledKinds={enabledKinds} about="Your own program gets alerts.">
          <Button url="/app/webhooks">View</Button>
        </Channel>
      </BlockStack>
    </Card>
  );
}
