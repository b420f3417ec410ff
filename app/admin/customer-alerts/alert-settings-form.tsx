import { Banner, BlockStack, Card, ChoiceList, InlineGrid, Select, Text } from "@shopify/polaris";
import { memo } from "react";
import { ALERT_KINDS } from "../../alerts/kinds.ts";
import { ALERT_LIMITS, type AlertSettings } from "../../alerts/settings-form.ts";
import { SettingsForm } from "../settings/settings-form.tsx";
import { SettingsSection } from "../settings/settings-section.tsx";
import { NumberField } from "../number-field.tsx";
import { useForm, type AdminForm, type TextFieldProps } from "../use-form.ts";
import { ALERT_LABELS } from "./alert-labels.ts";

const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, "0")}:00`,
}));

const MODES = [
  {
    value: "consent",
    label: "Only customers who ask for them",
    helpText: "Customers choose each kind on the wishlist page of your store, and can withdraw at any time.",
  },
  {
    value: "merchant_managed",
    label: "All customers who saved the product",
    helpText: "You obtain and keep the consent yourself, for example in your marketing tool.",
  },
];

const PRICE_DROPS = [
  {
    value: "false",
    label: "Once a day, with the other alerts",
    helpText: "A price that rises again before that hour is no news any more, and nothing is sent.",
  },
  {
    value: "true",
    label: "At once",
    helpText:
      "Customers hear of price drops when they happen, outside quiet hours. They count towards the pause between alerts and the weekly limit of emails.",
  },
];

interface FieldProps {
  form: AdminForm<AlertSettings>;
}

/** Memoized, so that a letter in another field of the form does not render its options again. */
const HourField = memo(function HourField(props: TextFieldProps & { label: string; none: string; help?: string }) {
  const { none, help, ...field } = props;
  return (
    <Select
      {...field}
      options={[{ value: "", label: none }, ...HOURS]}
      {...(help === undefined ? {} : { helpText: help })}
    />
  );
});

function ModeFields({ form }: FieldProps) {
  return (
    <Card>
      <BlockStack gap="400">
        <ChoiceList title="Who gets alerts" choices={MODES} {...form.list("mode")} />
        {form.values["mode"] === "merchant_managed" && (
          <Banner tone="warning" title="You are responsible for the consent">
            <p>
              Alerts for all customers are sent to your webhooks, marked with the consent “none”. In many countries a
              marketing message without consent is against the law. Only message customers whose consent you can prove.
            </p>
          </Banner>
        )}
      </BlockStack>
    </Card>
  );
}

function textOf(value: number | null): string {
  return value === null ? "" : String(value);
}

/** Edits which alerts are sent, to whom, and when. */
export function AlertSettingsForm(props: {
  settings: AlertSettings;
  timeZone: string;
  onSaved: (saved: AlertSettings) => void;
  onReload: () => void;
}) {
  const { settings, timeZone, onSaved, onReload } = props;
  const { version, kinds, mode, ...rest } = settings;
  const initial = {
    kinds,
    mode,
    priceDropPercent: textOf(rest.priceDropPercent),
    lowStockQuantity: textOf(rest.lowStockQuantity),
    reminderDays: textOf(rest.reminderDays),
    coolDownHours: textOf(rest.coolDownHours),
    quietFrom: textOf(rest.quietFrom),
    quietUntil: textOf(rest.quietUntil),
    digestAt: textOf(rest.digestAt),
    priceDropsAtOnce: String(rest.priceDropsAtOnce),
  };
  const form = useForm<AlertSettings>("save", initial, {
    hidden: { version: String(version) },
    successText: "Alert settings saved",
    onDone: onSaved,
  });
  return (
    <SettingsForm id="alerts" form={form} onReload={onReload}>
      <SettingsSection title="Kinds of alerts" description="What customers can hear about. All kinds are off at first.">
        <Card>
          <BlockStack gap="200">
            <ChoiceList
              title="Send alerts for"
              allowMultiple
              choices={ALERT_KINDS.map((kind) => ({
                value: kind,
                label: ALERT_LABELS[kind].label,
                helpText: ALERT_LABELS[kind].help,
              }))}
              {...form.list("kinds")}
            />
          </BlockStack>
        </Card>
      </SettingsSection>
      <SettingsSection title="Consent" description="Guests never get alerts, because they can't be reached.">
        <ModeFields form={form} />
      </SettingsSection>
      <SettingsSection title="Thresholds" description="How large a change must be.">
        <Card>
          <BlockStack gap="400">
            <NumberField
              {...form.text("priceDropPercent")}
              limits={ALERT_LIMITS.priceDropPercent}
              label="Smallest price drop"
              suffix="%"
              help="Compared to the price when the customer saved the item, or to that of the last alert if it is lower."
            />
            <NumberField
              {...form.text("lowStockQuantity")}
              limits={ALERT_LIMITS.lowStockQuantity}
              label="Low stock from"
              suffix="units"
              help="An alert is sent when the inventory falls to this number."
            />
            <NumberField
              {...form.text("reminderDays")}
              limits={ALERT_LIMITS.reminderDays}
              label="Remind after"
              suffix="days"
              help="Counted from the day on which the customer saved the product."
            />
          </BlockStack>
        </Card>
      </SettingsSection>
      <SettingsSection title="Times" description={`Hours are in the time zone of your reports, ${timeZone}.`}>
        <Card>
          <BlockStack gap="400">
            <NumberField
              {...form.text("coolDownHours")}
              limits={ALERT_LIMITS.coolDownHours}
              label="Pause between alerts"
              suffix="hours"
              help="A customer gets at most one alert about a product in this time."
            />
            <InlineGrid columns={{ xs: 1, sm: 2 }} gap="400">
              <HourField {...form.text("quietFrom")} label="Quiet hours from" none="None" />
              <HourField {...form.text("quietUntil")} label="Quiet hours until" none="None" />
            </InlineGrid>
            <Text as="p" tone="subdued">
              Alerts wait until quiet hours end.
            </Text>
            <HourField
              {...form.text("digestAt")}
              label="Send once a day at"
              none="Send at any time"
              help="Collects the alerts of a day. A customer gets one email for all of them; webhooks, Klaviyo and Shopify Flow get each alert at this hour."
            />
            {form.values["digestAt"] !== "" && (
              <ChoiceList title="Price drops" choices={PRICE_DROPS} {...form.list("priceDropsAtOnce")} />
            )}
          </BlockStack>
        </Card>
      </SettingsSection>
    </SettingsForm>
  );
}
