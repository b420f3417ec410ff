import { Banner, BlockStack, Button, Card, ChoiceList, InlineStack, Select, Text, TextField } from "@shopify/polaris";
import { useCallback, useState } from "react";
import { LIMITS } from "../../shops/setting-limits.ts";
import { AdminPage } from "../admin-page.tsx";
import { useForm, type AdminForm } from "../form.ts";
import { SaveBar } from "../save-bar.tsx";
import { Section } from "./section.tsx";
import type { SettingsData } from "./settings-data.ts";

const GUESTS = [
  { label: "Guests can save", value: "on", helpText: "Their list becomes their account's when they log in." },
  {
    label: "Customers only",
    value: "off",
    helpText: "Whoever is not logged in is asked to. Lists that guests have already are kept for their login.",
  },
];

function Numbers(props: {
  form: AdminForm<SettingsData>;
  name: keyof typeof LIMITS;
  label: string;
  suffix: string;
  help: string;
}) {
  const { form, name, label, suffix, help } = props;
  return (
    <TextField
      {...form.text(name)}
      label={label}
      suffix={suffix}
      helpText={help}
      type="integer"
      inputMode="numeric"
      {...LIMITS[name]}
      autoComplete="off"
    />
  );
}

/** Keys of `ui-save-bar` and fields begin anew with other settings: see SettingsPage. */
function SettingsForm(props: {
  settings: SettingsData;
  timeZones: readonly string[];
  onSaved: (saved: SettingsData) => void;
  onLoad: () => void;
}) {
  const { settings, timeZones, onSaved, onLoad } = props;
  const { version, guestLists, timeZone, ...numbers } = settings;
  const initial = {
    shareLinkDays: String(numbers.shareLinkDays),
    itemCap: String(numbers.itemCap),
    guestLists: guestLists ? "on" : "off",
    guestRetentionDays: String(numbers.guestRetentionDays),
    timeZone,
  };
  const form = useForm<SettingsData>("save", initial, { hidden: { version: String(version) }, onDone: onSaved });
  const zones = timeZones.includes(timeZone) ? [...timeZones] : [timeZone, ...timeZones];
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      <SaveBar id="settings" form={form} />
      <BlockStack gap="600">
        {form.problem !== undefined && (
          <Banner
            tone="critical"
            title="The settings were not saved"
            action={{ content: "Load current settings", onAction: onLoad }}
          >
            <p>{form.problem}</p>
          </Banner>
        )}
        <Section title="Lists" description="What a list holds, and for how long its link can be passed on.">
          <Card>
            <BlockStack gap="400">
              <Numbers
                form={form}
                name="itemCap"
                label="Items in a list"
                suffix="at most"
                help="Longer lists keep what they have. Nothing can be added to them until they are shorter."
              />
              <Numbers
                form={form}
                name="shareLinkDays"
                label="Share links work for"
                suffix="days"
                help="Counts for links that are made from now on."
              />
            </BlockStack>
          </Card>
        </Section>
        <Section title="Guests" description="Shoppers who save something before they log in.">
          <Card>
            <BlockStack gap="400">
              <ChoiceList title="Who can save" choices={GUESTS} {...form.list("guestLists")} />
              <Numbers
                form={form}
                name="guestRetentionDays"
                label="Forget a guest after"
                suffix="days"
                help="Counted from their last visit."
              />
            </BlockStack>
          </Card>
        </Section>
        <Section title="Reports" description="Where a day of your reports begins and ends.">
          <Card>
            <Select
              {...form.text("timeZone")}
              label="Time zone"
              options={zones}
              helpText="A new zone applies from then on. Days that are counted already stay as they are."
            />
          </Card>
        </Section>
        <Section title="API keys" description="Access for storefronts, apps, and back-office systems.">
          <Card>
            <InlineStack>
              <Button url="/app/api-keys">Manage API keys</Button>
            </InlineStack>
          </Card>
        </Section>
        <Section title="Data" description="All lists as a file, and requests for personal data.">
          <Card>
            <BlockStack gap="300">
              <Text as="p">
                Take all wishlists with you, bring them from elsewhere, and see what Shopify asked for.
              </Text>
              <InlineStack gap="200">
                <Button url="/app/settings/data">Export and import</Button>
                <Button url="/app/settings/privacy">Privacy requests</Button>
              </InlineStack>
            </BlockStack>
          </Card>
        </Section>
      </BlockStack>
      {/* So that Enter in a field saves. */}
      <input type="submit" hidden />
    </form>
  );
}

/** What the merchant can settle. */
export function SettingsPage({ settings, timeZones }: { settings: SettingsData; timeZones: readonly string[] }) {
  // What the form began with: it must not become what somebody else has saved without the merchant seeing it.
  const [basis, setBasis] = useState(settings);
  const onSaved = useCallback((saved: SettingsData) => {
    setBasis(saved);
    shopify.toast.show("Settings saved");
  }, []);
  return (
    <AdminPage title="Settings">
      <SettingsForm
        key={basis.version}
        settings={basis}
        timeZones={timeZones}
        onSaved={onSaved}
        onLoad={() => setBasis(settings)}
      />
    </AdminPage>
  );
}
