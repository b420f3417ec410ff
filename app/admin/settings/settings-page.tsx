import { Banner, BlockStack, Button, Card, ChoiceList, InlineStack, Select, Text, TextField } from "@shopify/polaris";
import { useCallback, useState } from "react";
import { LIMITS } from "../../settings/limits.ts";
import { AdminPage } from "../admin-page.tsx";
import { useForm, type AdminForm } from "../form.ts";
import { SaveBar } from "../save-bar.tsx";
import { Section } from "./section.tsx";
import type { SettingsData } from "./settings-data.ts";

const GUESTS = [
  {
    label: "Customers and guests",
    value: "on",
    helpText: "When guests log in, their saved items move to their account's wishlist.",
  },
  {
    label: "Customers only",
    value: "off",
    helpText: "Shoppers must log in to save items. Existing guest wishlists still move to an account at login.",
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
            title="Your settings weren't saved"
            action={{ content: "Load current settings", onAction: onLoad }}
          >
            <p>{form.problem}</p>
          </Banner>
        )}
        <Section title="Wishlists" description="Limits for wishlists and their share links.">
          <Card>
            <BlockStack gap="400">
              <Numbers
                form={form}
                name="itemCap"
                label="Maximum items per wishlist"
                suffix="items"
                help="Wishlists that already hold more keep their items, but shoppers can't add new ones."
              />
              <Numbers
                form={form}
                name="shareLinkDays"
                label="Share links expire after"
                suffix="days"
                help="Applies to new share links."
              />
            </BlockStack>
          </Card>
        </Section>
        <Section title="Guests" description="Shoppers who save items without logging in.">
          <Card>
            <BlockStack gap="400">
              <ChoiceList title="Who can save items" choices={GUESTS} {...form.list("guestLists")} />
              <Numbers
                form={form}
                name="guestRetentionDays"
                label="Delete guest wishlists after"
                suffix="days"
                help="Counted from the guest's last visit."
              />
            </BlockStack>
          </Card>
        </Section>
        <Section title="Reports" description="The time zone that your reports use.">
          <Card>
            <Select
              {...form.text("timeZone")}
              label="Time zone"
              options={zones}
              helpText="A new time zone applies from now on. Days that are already counted don't change."
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
        <Section title="Data and privacy" description="Wishlists as files, and requests for personal data.">
          <Card>
            <BlockStack gap="300">
              <Text as="p">Move wishlists into or out of the app, and review customer data requests from Shopify.</Text>
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

/** The settings that the merchant can change. */
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
