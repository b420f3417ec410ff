import { BlockStack, Button, ChoiceList, Select, TextField } from "@shopify/polaris";
import { AdminPage } from "../admin-page.tsx";
import { FormActions } from "../form-actions.tsx";
import { FormSheet } from "../form-sheet.tsx";
import { useForm } from "../form.ts";
import { IssuedKey } from "./issued-key.tsx";
import { SCOPE_WORDS, type IssuedKeyData } from "./key-data.ts";

const EXPIRIES = [
  { label: "Never", value: "never" },
  { label: "In 30 days", value: "30" },
  { label: "In 90 days", value: "90" },
  { label: "In a year", value: "365" },
];

const CHOICES = Object.entries(SCOPE_WORDS).map(([value, { label, help }]) => ({ value, label, helpText: help }));

/** A form for an API key, and what came of it. */
export function NewKeyPage({ submission, origin }: { submission: string; origin: string }) {
  const initial = { name: "", scopes: ["read_wishlists", "write_wishlists"], expires: "never" };
  const form = useForm<IssuedKeyData>("create", initial, { hidden: { submission } });
  const back = { label: "API keys", url: "/app/api-keys" };
  if (form.done) {
    return (
      <AdminPage title={form.done.name} back={back} narrowWidth>
        <BlockStack gap="400">
          <IssuedKey issued={form.done} origin={origin} />
          <FormActions>
            <Button variant="primary" url={`/app/api-keys/${form.done.keyId}`}>
              Done
            </Button>
          </FormActions>
        </BlockStack>
      </AdminPage>
    );
  }
  return (
    <AdminPage title="Create API key" back={back} narrowWidth>
      <FormSheet id="new-key" form={form} failed="The key was not created" action="Create key">
        <TextField
          {...form.text("name")}
          label="Name"
          helpText="What it is for, such as the storefront or the partner who gets it."
          autoComplete="off"
        />
        <ChoiceList title="It may" allowMultiple choices={CHOICES} {...form.list("scopes")} />
        <Select {...form.text("expires")} label="Expires" options={EXPIRIES} />
      </FormSheet>
    </AdminPage>
  );
}
