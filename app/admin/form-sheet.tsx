import { Banner, BlockStack, Button, Card, FormLayout } from "@shopify/polaris";
import type { ReactNode } from "react";
import { FormActions } from "./form-actions.tsx";
import type { AdminForm } from "./form.ts";
import { SaveBar } from "./save-bar.tsx";

interface FormSheetProps {
  /** of its save bar */
  id: string;
  form: AdminForm<unknown>;
  /** the heading of what is about no single field */
  failed: string;
  /** the button that sends it */
  action: string;
  /** the fields */
  children: ReactNode;
}

/** A form that is all of its page: a card of fields, with the button below. */
export function FormSheet({ id, form, failed, action, children }: FormSheetProps) {
  return (
    <BlockStack gap="400">
      <SaveBar id={id} form={form} />
      {form.problem !== undefined && (
        <Banner tone="critical" title={failed}>
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
