import { BlockStack, Button, ChoiceList, Select, TextField } from "@shopify/polaris";
import type { IssuedKeyView, KeyLimits } from "../../access/views.ts";
import { AdminPage } from "../admin-page.tsx";
import { FormActions } from "../form-actions.tsx";
import { FormCard } from "../form-card.tsx";
import { useForm } from "../use-form.ts";
import { IssuedKey } from "./issued-key.tsx";
import { OriginsField } from "./origins-field.tsx";
import { KIND_LABELS, SCOPE_CHOICES } from "./key-data.ts";

const EXPIRIES = [
  { label: "Never", value: "never" },
  { label: "In 30 days", value: "30" },
  { label: "In 90 days", value: "90" },
  { label: "In a year", value: "365" },
];

function kindChoices({ admin, storefront_server: server }: KeyLimits) {
  const requests = (count: number): string => `${count.toLocaleString("en")} requests per minute`;
  return [
    {
      value: "admin",
      label: KIND_LABELS.admin,
      helpText: `For back-office systems and apps. Up to ${requests(admin)}.`,
    },
    {
      value: "storefront_server",
      label: KIND_LABELS.storefront_server,
      helpText: `For a server that renders your storefront for many shoppers. Up to ${requests(server)}. It can only read and change wishlists.`,
    },
    {
      value: "publishable",
      label: KIND_LABELS.publishable,
      helpText:
        "For code that runs in the browser or in a mobile app. It has no secret: each shopper reaches only their own lists.",
    },
  ];
}

/** Shows the form for a new API key, then the key with its secret. */
export function NewKeyPage(props: { idempotencyKey: string; origin: string; limits: KeyLimits }) {
  const { idempotencyKey, origin, limits } = props;
  const initial = {
    name: "",
    kind: "admin",
    scopes: ["read_wishlists", "write_wishlists"],
    origins: "",
    expires: "never",
  };
  const form = useForm<IssuedKeyView>("create", initial, { hidden: { idempotencyKey } });
  const isPublishable = form.values["kind"]?.includes("publishable") === true;
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
      <FormCard id="new-key" form={form} errorTitle="The key wasn't created">
        <TextField
          {...form.text("name")}
          label="Name"
          helpText="The system or partner that uses the key. Only you see this name."
          autoComplete="off"
        />
        <ChoiceList title="Type (can't be changed later)" choices={kindChoices(limits)} {...form.list("kind")} />
        {isPublishable ? (
          <OriginsField {...form.text("origins")} />
        ) : (
          <ChoiceList title="Permissions" allowMultiple choices={SCOPE_CHOICES} {...form.list("scopes")} />
        )}
        <Select {...form.text("expires")} label="Expires" options={EXPIRIES} />
      </FormCard>
    </AdminPage>
  );
}
