import { BlockStack, Card, ChoiceList, FormLayout, Text, TextField } from "@shopify/polaris";
import type { ApiKey } from "../../access/views.ts";
import { FormProblem } from "../form-problem.tsx";
import { SaveBar } from "../save-bar.tsx";
import { useForm } from "../use-form.ts";
import { EnterForm } from "../enter-form.tsx";
import { SCOPE_CHOICES } from "./key-data.ts";
import { OriginsField } from "./origins-field.tsx";

/** Changes a key's name and what it may do: its permissions, or the origins of a publishable key. */
export function EditKeyCard({ apiKey }: { apiKey: ApiKey }) {
  const { kind, name, scopes, allowedOrigins } = apiKey;
  const isPublishable = kind === "publishable";
  const initial = { name, ...(isPublishable ? { origins: allowedOrigins.join("\n") } : { scopes }) };
  const form = useForm("change", initial, { hidden: { kind }, successText: "Key saved" });
  return (
    <Card>
      <SaveBar id="key" form={form} />
      <EnterForm onSubmit={form.submit}>
        <BlockStack gap="300">
          <Text as="h2" variant="headingMd">
            {isPublishable ? "Name and origins" : "Name and permissions"}
          </Text>
          <Text as="p" tone="subdued">
            {isPublishable
              ? "The key works on pages of these origins only. Shoppers who already use the key on another page keep access for up to an hour."
              : "A permission that you remove ends within a second, also for tokens that the key has issued."}
          </Text>
          <FormProblem of={[form]} title="The key wasn't saved" />
          <FormLayout>
            <TextField {...form.text("name")} label="Name" autoComplete="off" />
            {isPublishable ? (
              <OriginsField {...form.text("origins")} />
            ) : (
              <ChoiceList title="Permissions" allowMultiple choices={SCOPE_CHOICES} {...form.list("scopes")} />
            )}
          </FormLayout>
        </BlockStack>
      </EnterForm>
    </Card>
  );
}
