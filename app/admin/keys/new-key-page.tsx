import { BlockStack, Button, ChoiceList, Select, TextField } from "@shopify/polaris";
import { AdminPage } from "../admin-page.tsx";
import { FormActions } from "../form-actions.tsx";
import { FormSheet } from "../form-sheet.tsx";
import { useForm } from "../form.ts";
import { IssuedKey } from "./issued-key.tsx";
import { KIND_LABELS, SCOPE_WORDS, type IssuedKeyData, type KeyLimits } from "./key-data.ts";

const EXPIRIES = [
  { label: "Never", value: "never" },
  { label: "In 30 days", value: "30" },
  { label: "In 90 days", value: "90" },
  { label: "In a year", value: "365" },
];

const CHOICES = Object.entries(SCOPE_WORDS).map(([value, { label, help }]) => ({ value, label, helpText: help }));

function kinds({ admin, storefront_server: server }: KeyLimits) {
  const requests = (count: number): string => `${count.toLocaleString("en")} requests a minute`;
  return [
    {
      value: "admin",
      label: KIND_LABELS.admin,
      helpText: `For back-office systems and apps. Up to ${requests(admin)}.`,
    },
    {
      value: "storefront_server",
      label: KIND_LABELS.storefront_server,
      helpText: `For a server that renders your storefront for many shoppers. Up to ${requests(server)}. Can only read and change wishlists.`,
    },
  ];
}

/** A form for an API key, and the new key with its secret. */
export function NewKeyPage(props: { submission: string; origin: string; limits: KeyLimits }) {
  const { submission, origin, limits } = props;
  const initial = { name: "", kind: "admin", scopes: ["read_wishlists", "write_wishlists"], expires: "never" };
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
          helpText="The system or partner that uses the key. Only you see this name."
          autoComplete="off"
        />
        <ChoiceList title="Type (can't be changed later)" choices={kinds(limits)} {...form.list("kind")} />
        <ChoiceList title="Permissions" allowMultiple choices={CHOICES} {...form.list("scopes")} />
        <Select {...form.text("expires")} label="Expires" options={EXPIRIES} />
      </FormSheet>
    </AdminPage>
  );
}
