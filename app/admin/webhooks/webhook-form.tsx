import { ChoiceList, TextField } from "@shopify/polaris";
import type { AdminForm } from "../form.ts";
import { FormSheet } from "../form-sheet.tsx";
import { EVENT_WORDS } from "./webhook-data.ts";

const CHOICES = Object.entries(EVENT_WORDS).map(([value, { label, help }]) => ({ value, label, helpText: help }));

/** What the API says of a field begins in the middle of a sentence, after the field's name. */
function sentence(problem: string): string {
  return problem.charAt(0).toUpperCase() + problem.slice(1);
}

/** Where a webhook goes, and what it is told. */
export function WebhookForm(props: {
  form: AdminForm<unknown>;
  /** the button that sends it */
  action: string;
  /** the heading of what is about no single field */
  failed: string;
}) {
  const { form, action, failed } = props;
  const url = form.text("url");
  const events = form.list("events");
  return (
    <FormSheet id="webhook" form={form} failed={failed} action={action}>
      <TextField
        {...url}
        error={sentence(url.error)}
        label="Address"
        helpText="Where messages are sent by POST: https:, and reachable from the internet."
        placeholder="https://hooks.example.com/wishlist"
        autoComplete="off"
        inputMode="url"
      />
      <ChoiceList
        title="Send a message when"
        allowMultiple
        choices={CHOICES}
        {...events}
        error={sentence(events.error)}
      />
    </FormSheet>
  );
}
