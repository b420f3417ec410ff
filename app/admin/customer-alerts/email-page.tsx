import { Banner, BlockStack, Card, ChoiceList, FormLayout, Link, Select, Text, TextField } from "@shopify/polaris";
import { useState } from "react";
import { ALERT_KINDS, alertKindSchema, type AlertKind } from "../../alerts/kinds.ts";
import type { MissingPlan } from "../../billing/plans.ts";
import { EMAIL_LIMITS, introductionField, subjectField, type EmailSettings } from "../../email/settings.ts";
import { AdminPage } from "../admin-page.tsx";
import { EmailPermissionBanner } from "../customers-permission.tsx";
import { FrozenBanner } from "../frozen-banner.tsx";
import { NumberField } from "../number-field.tsx";
import { SettingsForm } from "../settings/settings-form.tsx";
import { useOpenedSettings } from "../settings/use-opened-settings.ts";
import { SettingsSection } from "../settings/settings-section.tsx";
import { useForm, type AdminForm } from "../use-form.ts";
import { EMAIL_PATH } from "../webhooks/webhook-data.ts";
import { ALERT_LABELS } from "./alert-labels.ts";
import { EmailPreview, type ShownMessage } from "./email-preview.tsx";

interface Props {
  /** what is saved, or what the page proposes to begin with */
  settings: EmailSettings;
  /** kinds of alerts that are on */
  alertKinds: readonly AlertKind[];
  /** whether the operator has set a mail server */
  isAvailable: boolean;
  /** whether the app may read customers, whose addresses it needs */
  isAllowed: boolean;
  /** the plan that alerts need; undefined when included */
  missingPlan: MissingPlan | undefined;
  example: ShownMessage;
}

/** Says what is missing until emails are sent. */
function Missing({ isAvailable, isAllowed, missingPlan }: Props) {
  if (missingPlan?.isFrozen) {
    return (
      <FrozenBanner planName={missingPlan.name}>Until then, no emails are sent. Your settings are kept.</FrozenBanner>
    );
  }
  if (missingPlan) {
    return (
      <Banner
        title={`Emails require the ${missingPlan.name} plan`}
        action={{ content: "View plans", url: "/app/plan" }}
      >
        <p>Customers then get emails about what they saved, in their language and with your name.</p>
      </Banner>
    );
  }
  if (!isAvailable) {
    return (
      <Banner tone="warning" title="Email isn't available on this server">
        <p>
          The operator of this app has not set a mail server. Until then no emails are sent. Use Shopify Flow or a
          webhook instead.
        </p>
      </Banner>
    );
  }
  if (isAllowed) return null;
  return <EmailPermissionBanner />;
}

interface FieldProps {
  form: AdminForm<EmailSettings>;
}

function KindsCard({ form, alertKinds }: FieldProps & Pick<Props, "alertKinds">) {
  return (
    <Card>
      <BlockStack gap="300">
        <ChoiceList
          title="Email these alerts"
          allowMultiple
          choices={ALERT_KINDS.map((kind) => ({
            value: kind,
            label: ALERT_LABELS[kind].label,
            helpText: alertKinds.includes(kind) ? undefined : "This kind is off under Alerts.",
          }))}
          {...form.list("kinds")}
        />
        <NumberField
          {...form.text("weeklyLimit")}
          label="At most"
          suffix="emails a week to one customer"
          limits={EMAIL_LIMITS.weeklyLimit}
        />
        <Text as="p" tone="subdued">
          What a customer gets at one moment is one email, however many products it is about.
        </Text>
      </BlockStack>
    </Card>
  );
}

function SenderCard({ form }: FieldProps) {
  return (
    <Card>
      <FormLayout>
        <TextField
          {...form.text("senderName")}
          label="Sender's name"
          maxLength={EMAIL_LIMITS.senderName}
          autoComplete="organization"
        />
        <TextField {...form.text("replyTo")} label="Replies go to" type="email" autoComplete="email" />
        <TextField
          {...form.text("postalAddress")}
          label="Postal address"
          multiline={5}
          maxLength={EMAIL_LIMITS.postalAddress}
          helpText="At the end of each email, as the law of many countries demands."
          autoComplete="street-address"
        />
        <TextField
          {...form.text("logoUrl")}
          label="Address of your logo"
          placeholder="https://example.com/logo.png"
          helpText="A picture at least 80 pixels high. Without one, the sender's name is shown."
          autoComplete="off"
        />
        <TextField
          {...form.text("accent")}
          label="Color of the button"
          autoComplete="off"
          connectedRight={
            <input
              type="color"
              aria-label="Pick the color of the button"
              value={String(form.values["accent"])}
              onChange={(event) => form.set("accent", event.target.value)}
              style={{ width: "48px", height: "32px", padding: 0, border: 0, background: "none" }}
            />
          }
        />
      </FormLayout>
    </Card>
  );
}

function TextsCard({ form }: FieldProps) {
  const [kind, setKind] = useState<AlertKind>("price_dropped");
  const isWrong = (one: AlertKind): boolean =>
    [subjectField(one), introductionField(one)].some((name) => form.text(name).error !== "");
  const wrong = ALERT_KINDS.filter(isWrong);
  return (
    <Card>
      <FormLayout>
        <Select
          label="Kind of alert"
          options={ALERT_KINDS.map((value) => ({ value, label: ALERT_LABELS[value].label }))}
          value={kind}
          onChange={(value) => setKind(alertKindSchema.parse(value))}
          error={
            wrong.length > 0 && !wrong.includes(kind)
              ? `Correct the texts of: ${wrong.map((one) => ALERT_LABELS[one].label).join(", ")}.`
              : false
          }
        />
        <TextField
          key={`subject ${kind}`}
          {...form.text(subjectField(kind))}
          label="Subject"
          maxLength={EMAIL_LIMITS.subject}
          autoComplete="off"
        />
        <TextField
          key={`introduction ${kind}`}
          {...form.text(introductionField(kind))}
          label="Introduction"
          multiline={3}
          maxLength={EMAIL_LIMITS.introduction}
          autoComplete="off"
        />
        <Text as="p" tone="subdued">
          Leave both empty for texts in the customer&apos;s language (English, German, French, Spanish, Japanese). Your
          own texts are the same in all languages. They may have {"{{ product }}"}, {"{{ price }}"},{" "}
          {"{{ previous_price }}"}, {"{{ customer }}"}, {"{{ shop }}"}, and {"{{ others }}"}: how many further products
          the email is about.
        </Text>
      </FormLayout>
    </Card>
  );
}

function valuesOf({ kinds, texts, logoUrl, weeklyLimit, senderName, replyTo, postalAddress, accent }: EmailSettings) {
  const values: Record<string, string | readonly string[]> = {
    ...{ kinds, senderName, replyTo, postalAddress, accent },
    ...{ logoUrl: logoUrl ?? "", weeklyLimit: String(weeklyLimit) },
  };
  for (const kind of ALERT_KINDS) {
    values[subjectField(kind)] = texts[kind].subject;
    values[introductionField(kind)] = texts[kind].introduction;
  }
  return values;
}

function EmailForm(props: Props & { onSaved: (saved: EmailSettings) => void; onReload: () => void }) {
  const { settings, alertKinds, isAvailable, missingPlan, example, onSaved, onReload } = props;
  const { version } = settings;
  const form = useForm<EmailSettings>("save", valuesOf(settings), {
    hidden: { version: String(version) },
    successText: "Email settings saved",
    onDone: onSaved,
  });
  return (
    <BlockStack gap="600">
      {/* Without the plan, nothing can be saved; the example shows what the plan is for. */}
      {missingPlan === undefined && (
        <SettingsForm id="email" form={form} onReload={onReload}>
          <SettingsSection title="Emails" description="Which alerts reach customers by email.">
            <KindsCard form={form} alertKinds={alertKinds} />
          </SettingsSection>
          <SettingsSection title="Sender" description="Who writes, and how it looks.">
            <SenderCard form={form} />
          </SettingsSection>
          <SettingsSection title="Your own texts" description="In place of the app's texts.">
            <TextsCard form={form} />
          </SettingsSection>
        </SettingsForm>
      )}
      <SettingsSection
        title="Preview"
        description={missingPlan === undefined ? "An example with what you have entered." : "What customers get."}
      >
        <EmailPreview
          form={form}
          version={version}
          first={example}
          canTest={isAvailable && missingPlan === undefined ? version > 0 : undefined}
        />
      </SettingsSection>
    </BlockStack>
  );
}

/** Configures the emails to customers. */
export function EmailPage(props: Props) {
  const { settings } = props;
  const form = useOpenedSettings(settings);
  return (
    <AdminPage title="Email" back={{ label: "Alerts", url: "/app/alerts" }}>
      <BlockStack gap="600">
        <Missing {...props} />
        <EmailForm {...props} key={form.key} settings={form.opened} onSaved={form.onSaved} onReload={form.onReload} />
        {form.opened.version > 0 && (
          <Text as="p" tone="subdued" alignment="center">
            <Link url={EMAIL_PATH}>View what was sent</Link>
          </Text>
        )}
      </BlockStack>
    </AdminPage>
  );
}
