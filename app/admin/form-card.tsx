import { Banner, BlockStack, Button, Card, FormLayout } from "@shopify/polaris";
import type { ReactNode } from "react";
import { FormActions } from "./form-actions.tsx";
import type { AdminForm } from "./use-form.ts";
import { SaveBar } from "./save-bar.tsx";

interface FormCardProps {
  /** id of the save bar */
  id: string;
  form: AdminForm<unknown>;
  /** heading of an error that concerns the form as a whole */
  errorTitle: string;
  /** label of the submit button */
  action: string;
  /** form fields */
  children: ReactNode;
}

/** Renders a page's only form: a card of fields with the submit button below. */
export function FormCard({ id, form, errorTitle, action, children }: FormCardProps) {
  return (
    <BlockStack gap="400">
      <SaveBar id={id} form={form} />
      {form.problem !== undefined && (
        <Banner tone="critical" title={errorTitle}>
          <p>{form.problem}</p>
        </Banner>
      )}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          form.submit();
        }}
      >
        <BlockStack gap="400">
          <Card>
            <FormLayout>{children}</FormLayout>
          </Card>
          <FormActions>
            <Button submit variant="primary" loading={form.busy}>
              {action}
            </Button>
          </FormActions>
        </BlockStack>
      </form>
    </BlockStack>
  );
}
