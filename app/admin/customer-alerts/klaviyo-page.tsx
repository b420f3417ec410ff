import {
  Banner,
  BlockStack,
  Button,
  Card,
  ChoiceList,
  InlineStack,
  Link,
  List,
  Select,
  Text,
  TextField,
} from "@shopify/polaris";
import { useCallback } from "react";
import type { MissingPlan } from "../../billing/plans.ts";
import type { KlaviyoConnection } from "../../klaviyo/views.ts";
import { KLAVIYO_EVENTS, KLAVIYO_METRICS } from "../../klaviyo/events.ts";
import type { LoggedDelivery, MerchantWebhook } from "../../webhooks/subscriptions/views.ts";
import { AdminPage } from "../admin-page.tsx";
import { ConfirmModal } from "../confirm-modal.tsx";
import { AllowCustomersButton } from "../customers-permission.tsx";
import { FormProblem } from "../form-problem.tsx";
import { PlanNote } from "../plan-note.tsx";
import { SettingsSection } from "../settings/settings-section.tsx";
import { useForm } from "../use-form.ts";
import { usePolling } from "../use-polling.ts";
import { EVENT_LABELS } from "../webhooks/event-labels.ts";
import { LastTest } from "../webhooks/test-card.tsx";
import { eventOptions, isSentSoon, KLAVIYO_PATH, POLL_INTERVAL_MS } from "../webhooks/webhook-data.ts";
import { EnterForm } from "../enter-form.tsx";

interface Props {
  connection: KlaviyoConnection | undefined;
  /** the channel; undefined before the first connection */
  webhook: MerchantWebhook | undefined;
  lastTest: LoggedDelivery | undefined;
  /** whether the app may read customers, whose addresses it sends */
  isAllowed: boolean;
  /** the plan that alerts need; undefined when included */
  missingPlan: MissingPlan | undefined;
  at: Date;
  idempotencyKey: string;
}

const DISCONNECT = "disconnect-klaviyo";

function ConnectCard({ isAgain }: { isAgain: boolean }) {
  const onDone = useCallback(({ accountName }: { accountName: string }) => {
    shopify.toast.show(`Connected to ${accountName}. A test event is on its way`);
  }, []);
  const form = useForm<{ accountName: string }>("connect", { key: "" }, { onDone });
  return (
    <Card>
      <EnterForm onSubmit={form.submit}>
        <BlockStack gap="300">
          <Text as="h2" variant="headingMd">
            {isAgain ? "Connect with another key" : "Connect your account"}
          </Text>
          <Text as="p" tone="subdued">
            Klaviyo then gets alerts, saved items and purchases as events, and you start flows from them.
          </Text>
          <List type="number">
            <List.Item>In Klaviyo, open Settings, then API keys, and create a private key.</List.Item>
            <List.Item>
              Choose a custom key with the scopes <code>accounts:read</code> and <code>events:write</code>.
            </List.Item>
            <List.Item>Paste the key here. The app stores it encrypted and never shows it again.</List.Item>
          </List>
          <FormProblem of={[form]} title="Klaviyo wasn't connected" />
          <TextField {...form.text("key")} label="Private key" type="password" placeholder="pk_…" autoComplete="off" />
          <InlineStack>
            <Button submit variant="primary" loading={form.busy}>
              Connect
            </Button>
          </InlineStack>
        </BlockStack>
      </EnterForm>
    </Card>
  );
}

function AccountCard({ accountName, accountId }: KlaviyoConnection) {
  const onDone = useCallback(() => {
    shopify.toast.show("Klaviyo disconnected");
  }, []);
  const disconnect = useForm("disconnect", {}, { onDone });
  return (
    <Card>
      <BlockStack gap="200">
        <FormProblem of={[disconnect]} title="Klaviyo wasn't disconnected" />
        <InlineStack align="space-between" blockAlign="center" gap="300">
          <BlockStack>
            <Text as="h2" variant="headingMd">
              {accountName}
            </Text>
            <Text as="p" tone="subdued">
              Account {accountId}. <Link url={KLAVIYO_PATH}>View what was sent</Link>
            </Text>
          </BlockStack>
          <Button tone="critical" loading={disconnect.busy} onClick={() => void shopify.modal.show(DISCONNECT)}>
            Disconnect
          </Button>
        </InlineStack>
      </BlockStack>
      <ConfirmModal id={DISCONNECT} title="Disconnect Klaviyo?" action="Disconnect" onConfirm={disconnect.submit}>
        Nothing more is sent, and the app deletes the key. Profiles and events stay in Klaviyo.
      </ConfirmModal>
    </Card>
  );
}

function EventsForm({ events }: Pick<MerchantWebhook, "events">) {
  const onDone = useCallback(() => {
    shopify.toast.show("Events saved");
  }, []);
  const form = useForm("save", { events: KLAVIYO_EVENTS.filter((event) => events.includes(event)) }, { onDone });
  return (
    <EnterForm onSubmit={form.submit}>
      <Card>
        <BlockStack gap="300">
          <FormProblem of={[form]} title="The events weren't saved" />
          <ChoiceList
            title="Send these events"
            allowMultiple
            choices={KLAVIYO_METRICS.map(({ event, metric }) => ({
              value: event,
              label: EVENT_LABELS[event].label,
              helpText: `Metric in Klaviyo: ${metric}`,
            }))}
            {...form.list("events")}
          />
          <Text as="p" tone="subdued">
            Properties have the names and values of the same webhook. A profile has the customer&apos;s id as external
            id, and the email address. The app never changes consent in Klaviyo.
          </Text>
          <InlineStack>
            <Button submit variant="primary" loading={form.busy} disabled={!form.dirty}>
              Save events
            </Button>
          </InlineStack>
        </BlockStack>
      </Card>
    </EnterForm>
  );
}

function TestCard({
  webhook,
  lastTest,
  idempotencyKey,
}: Pick<Props, "lastTest" | "idempotencyKey"> & { webhook: MerchantWebhook }) {
  const onDone = useCallback(() => {
    shopify.toast.show("Test sent");
  }, []);
  const form = useForm("test", { event: webhook.events[0] ?? "" }, { hidden: { idempotencyKey }, onDone });
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="p" tone="subdued">
          Sends an example about a profile with the external id <code>test-customer</code>. It starts no flow.
        </Text>
        <FormProblem of={[form]} />
        <InlineStack gap="300" blockAlign="end">
          <Select
            {...form.text("event")}
            label="Event"
            options={eventOptions(webhook.events)}
            disabled={!webhook.enabled}
          />
          <Button onClick={form.submit} loading={form.busy} disabled={!webhook.enabled}>
            Send test
          </Button>
        </InlineStack>
        <div aria-live="polite">{lastTest && <LastTest webhook={webhook} test={lastTest} />}</div>
      </BlockStack>
    </Card>
  );
}

/** Connects a Klaviyo account and chooses what it gets. */
export function KlaviyoPage(props: Props) {
  const { connection, webhook, lastTest, isAllowed, missingPlan, at, idempotencyKey } = props;
  usePolling(lastTest !== undefined && webhook !== undefined && isSentSoon(lastTest, webhook, at), POLL_INTERVAL_MS);
  const isRefused = connection !== undefined && connection.refusal !== null;
  return (
    <AdminPage title="Klaviyo" back={{ label: "Alerts", url: "/app/alerts" }}>
      <BlockStack gap="600">
        {isRefused && (
          <Banner tone="critical" title="Klaviyo refuses the key">
            <p>Nothing is sent until you connect with another key. What waits is sent then. {connection.refusal}</p>
          </Banner>
        )}
        {connection && !isAllowed && (
          <Banner tone="warning" title="Events have no email address">
            <BlockStack gap="200">
              <p>
                The app reads a customer&apos;s address from Shopify for each event, and doesn&apos;t store it. Without
                access to customers, Klaviyo gets the customer&apos;s id only.
              </p>
              <AllowCustomersButton />
            </BlockStack>
          </Banner>
        )}
        {missingPlan && (
          <Banner>
            <PlanNote plan={missingPlan} feature="Events about alerts">
              Saved items and purchases are sent on every plan.
            </PlanNote>
          </Banner>
        )}
        {connection && <AccountCard {...connection} />}
        {(!connection || isRefused) && <ConnectCard isAgain={isRefused} />}
        {connection && webhook && (
          <>
            <SettingsSection title="Events" description="What Klaviyo gets, and under which name.">
              <EventsForm events={webhook.events} />
            </SettingsSection>
            <SettingsSection title="Test" description="Shows whether the key may send events.">
              <TestCard webhook={webhook} lastTest={lastTest} idempotencyKey={idempotencyKey} />
            </SettingsSection>
          </>
        )}
      </BlockStack>
    </AdminPage>
  );
}
