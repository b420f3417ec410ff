import { BlockStack, Box, Button, Card, ChoiceList, Text, TextField } from "@shopify/polaris";
import { ConfirmModal } from "../confirm-modal.tsx";
import { EnterForm } from "../enter-form.tsx";
import { FormProblem } from "../form-problem.tsx";
import { useForm } from "../use-form.ts";

const MODAL = "erase-person";

/** Makes a privacy request for a person without an account, about whom Shopify forwards none. */
export function PersonRequestCard() {
  const form = useForm("person", { email: "", kind: "data_request" }, { onDone: () => form.reset() });
  const kind = form.list("kind");
  const isErasure = kind.selected[0] === "redact";
  const submit = (): void => {
    if (isErasure) void shopify.modal.show(MODAL);
    else form.submit();
  };
  return (
    <Card>
      <EnterForm onSubmit={submit}>
        <BlockStack gap="300">
          <BlockStack gap="100">
            <Text as="h2" variant="headingMd">
              A person without an account
            </Text>
            <Text as="p" tone="subdued">
              Shoppers can ask for alerts with an email address alone. Shopify doesn&apos;t know them, so their requests
              come to you. Make sure that the address is theirs.
            </Text>
          </BlockStack>
          <FormProblem of={[form]} title="No request was made" />
          <TextField {...form.text("email")} label="Email" type="email" autoComplete="off" />
          <ChoiceList
            {...kind}
            title="Request"
            choices={[
              { label: "Customer data", value: "data_request" },
              { label: "Erasure", value: "redact" },
            ]}
          />
          <Box>
            <Button loading={form.busy} onClick={submit}>
              Make request
            </Button>
          </Box>
        </BlockStack>
      </EnterForm>
      <ConfirmModal id={MODAL} title="Erase this person's data?" action="Erase data" onConfirm={form.submit}>
        What this address has asked for, what was sent to it, and the address itself are deleted. This can&apos;t be
        undone.
      </ConfirmModal>
    </Card>
  );
}
