import { BlockStack, Card, FormLayout } from "@shopify/polaris";
import type { ReactNode } from "react";
import type { AdminForm } from "./use-form.ts";
import { SaveBar } from "./save-bar.tsx";
import { FormProblem } from "./form-problem.tsx";
import { EnterForm } from "./enter-form.tsx";

interface FormCardProps {
  /** id of the save bar */
  id: string;
  form: AdminForm<unknown>;
  /** heading of an error that concerns the form as a whole */
  errorTitle: string;
  /** form fields */
  children: ReactNode;
}

/** Renders a page's only form: a card of fields which the save bar submits. */
export function FormCard({ id, form, errorTitle, children }: FormCardProps) {
  return (
    <BlockStack gap="400">
      <SaveBar id={id} form={form} />
      <FormProblem of={[form]} title={errorTitle} />
      <EnterForm onSubmit={form.submit}>
        <Card>
          <FormLayout>{children}</FormLayout>
        </Card>
      </EnterForm>
    </BlockStack>
  );
}
