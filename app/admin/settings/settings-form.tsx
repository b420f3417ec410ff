import { BlockStack } from "@shopify/polaris";
import type { ReactNode } from "react";
import { EnterForm } from "../enter-form.tsx";
import { FormProblem } from "../form-problem.tsx";
import { SaveBar } from "../save-bar.tsx";
import type { AdminForm } from "../use-form.ts";

/** The form of a page of settings: saved by the save bar, and loaded again where somebody else has saved meanwhile. */
export function SettingsForm(props: {
  /** the save bar's, one on each page */
  id: string;
  form: AdminForm<unknown>;
  onReload: () => void;
  children: ReactNode;
}) {
  const { id, form, onReload, children } = props;
  return (
    <EnterForm onSubmit={form.submit}>
      <SaveBar id={id} form={form} />
      <BlockStack gap="600">
        <FormProblem
          of={[form]}
          title="Your settings weren't saved"
          action={{ content: "Load current settings", onAction: onReload }}
        />
        {children}
      </BlockStack>
    </EnterForm>
  );
}
