import { ChoiceList, TextField } from "@shopify/polaris";
import type { AdminForm } from "../form.ts";
import { FormSheet } from "../form-sheet.tsx";
import { EVENT_WORDS } from "./webhook-data.ts";

const CHOICES = Object.entries(EVENT_WORDS).map(([value, { label, help }]) => ({ value, label, helpText: help }));

/** The API's problems start in lower case, because they follow the field's name. */
function sentence(problem: string): string {
  return problem.charAt(0).toUpperCase() + problem.slice(1);
}

/** The fields of a webhook: its address and its events. */
export function WebhookForm(props: {
  form: AdminForm<unknown>;
  /** label of the submit button */
  action: string;
  /** heading of an error that belongs to no field */
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
        helpText="Messages are sent here by POST. Use an https:// address that the internet can reach."
        placeholder="https://hooks.example.com/wishlist"
        autoComplete="off"
        inputMode="url"
      />
      <ChoiceList title="Events" allowMultiple choices={CHOICES} {...events} error={sentence(events.error)} />
    </FormSheet>
  );
}
