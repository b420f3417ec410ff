import { BlockStack, Button, Card, Checkbox, ChoiceList, InlineStack, Select } from "@shopify/polaris";
import { memo, useMemo } from "react";
import type { MissingPlan } from "../../billing/plans.ts";
import { LIMITS } from "../../settings/limits.ts";
import type { Settings } from "../../settings/settings.ts";
import { AdminPage } from "../admin-page.tsx";
import { NumberField } from "../number-field.tsx";
import { useForm, type AdminForm, type TextFieldProps } from "../use-form.ts";
import { PlanNote } from "../plan-note.tsx";
import { SettingsForm } from "./settings-form.tsx";
import { useOpenedSettings } from "./use-opened-settings.ts";
import { SettingsSection } from "./settings-section.tsx";

const GUEST_CHOICES = [
  {
    label: "Customers and guests",
    value: "on",
    helpText: "When guests log in, their saved items move to their account's wishlist.",
  },
  {
    label: "Customers only",
    value: "off",
    helpText:
      "Shoppers must log in to save items. Existing guest wishlists still move to an account when the guest logs in.",
  },
];

/** @param props.missingPlan the plan that named lists need; undefined when included */
function NamedListsField({ form, missingPlan }: { form: AdminForm<Settings>; missingPlan: MissingPlan | undefined }) {
  const isIncluded = missingPlan === undefined;
  return (
    <BlockStack gap="100">
      <Checkbox
        label="Offer named lists in your store"
        {...(isIncluded
          ? { helpText: "Shoppers can keep several lists. If you turn this off, the lists that they have stay." }
          : {})}
        disabled={!isIncluded}
        checked={isIncluded && form.values["namedLists"] === "on"}
        onChange={(checked) => form.set("namedLists", checked ? "on" : "off")}
      />
      {missingPlan && (
        <PlanNote plan={missingPlan} feature="Named lists">
          Lists that shoppers have stay.
        </PlanNote>
      )}
    </BlockStack>
  );
}

/** Renders its hundreds of options again only when it changes itself, and not with each letter in another field. */
const TimeZoneField = memo(function TimeZoneField({ zones, ...field }: TextFieldProps & { zones: string[] }) {
  return (
    <Select
      {...field}
      label="Time zone"
      options={zones}
      helpText="A new time zone applies to future days. Past days don't change."
    />
  );
});

function ShopSettings(props: {
  settings: Settings;
  timeZones: readonly string[];
  listsPlan: MissingPlan | undefined;
  onSaved: (saved: Settings) => void;
  onReload: () => void;
}) {
  const { settings, timeZones, listsPlan, onSaved, onReload } = props;
  const { version, guestLists, namedLists, timeZone, ...numbers } = settings;
  const initial = {
    shareLinkDays: String(numbers.shareLinkDays),
    itemCap: String(numbers.itemCap),
    guestLists: guestLists ? "on" : "off",
    guestRetentionDays: String(numbers.guestRetentionDays),
    namedLists: namedLists ? "on" : "off",
    timeZone,
  };
  const form = useForm<Settings>("save", initial, {
    hidden: { version: String(version) },
    successText: "Settings saved",
    onDone: onSaved,
  });
  const zones = useMemo(
    () => (timeZones.includes(timeZone) ? [...timeZones] : [timeZone, ...timeZones]),
    [timeZones, timeZone],
  );
  return (
    <SettingsForm id="settings" form={form} onReload={onReload}>
      <SettingsSection title="Wishlists" description="Limits for wishlists and their share links.">
        <Card>
          <BlockStack gap="400">
            <NumberField
              {...form.text("itemCap")}
              limits={LIMITS.itemCap}
              label="Maximum items per wishlist"
              suffix="items"
              help="Wishlists above the limit keep their items, but shoppers can't add more."
            />
            <NumberField
              {...form.text("shareLinkDays")}
              limits={LIMITS.shareLinkDays}
              label="Share links expire after"
              suffix="days"
              help="Applies to new share links."
            />
            <NamedListsField form={form} missingPlan={listsPlan} />
          </BlockStack>
        </Card>
      </SettingsSection>
      <SettingsSection title="Guests" description="Shoppers who save items without logging in.">
        <Card>
          <BlockStack gap="400">
            <ChoiceList title="Who can save items" choices={GUEST_CHOICES} {...form.list("guestLists")} />
            <NumberField
              {...form.text("guestRetentionDays")}
              limits={LIMITS.guestRetentionDays}
              label="Delete guest wishlists after"
              suffix="days"
              help="Counted from the guest's last visit."
            />
          </BlockStack>
        </Card>
      </SettingsSection>
      <SettingsSection title="Reports" description="The time zone that your reports use.">
        <Card>
          <TimeZoneField {...form.text("timeZone")} zones={zones} />
        </Card>
      </SettingsSection>
      <SettingsSection title="API keys" description="Access for storefronts, apps, and back-office systems.">
        <Card>
          <InlineStack>
            <Button url="/app/api-keys">Manage API keys</Button>
          </InlineStack>
        </Card>
      </SettingsSection>
      <SettingsSection
        title="Data and privacy"
        description="Export and import wishlists, and review customer data requests."
      >
        <Card>
          <InlineStack gap="200">
            <Button url="/app/settings/data">Export and import</Button>
            <Button url="/app/settings/privacy">Privacy requests</Button>
          </InlineStack>
        </Card>
      </SettingsSection>
    </SettingsForm>
  );
}

/** Shows the settings that the merchant can change. */
export function SettingsPage(props: {
  settings: Settings;
  timeZones: readonly string[];
  /** the plan that named lists need; undefined when included */
  listsPlan: MissingPlan | undefined;
}) {
  const { settings, timeZones, listsPlan } = props;
  const form = useOpenedSettings(settings);
  return (
    <AdminPage title="Settings">
      <ShopSettings
        key={form.key}
        settings={form.opened}
        timeZones={timeZones}
        listsPlan={listsPlan}
        onSaved={form.onSaved}
        onReload={form.onReload}
      />
    </AdminPage>
  );
}
