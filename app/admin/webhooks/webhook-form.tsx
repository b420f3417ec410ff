import { ChoiceList, TextField } from "@shopify/polaris";
import type { AdminForm } from "../use-form.ts";
import { FormCard } from "../form-card.tsx";
import { EVENT_LABELS } from "./event-labels.ts";

const CHOICES = Object.entries(EVENT_LABELS).map(([value, { label, help }]) => ({ value, label, helpText: help }));

/** The API's messages start in lower case, because a field name precedes them. */
function capitalize(problem: string): string {
  return problem.charAt(0).toUpperCase() + problem.slice(1);
}

const BATCH_CHOICE = [
  {
    value: "on",
    label: "Send events in batches",
    helpText: "One request carries up to 100 events. The receiver must expect batches before you turn this on.",
  },
];

/** The form of a webhook: URL, events and batches. */
export function WebhookForm(props: {
  form: AdminForm<unknown>;
  /** label of the submit button */
  action: string;
  /** heading of an error that concerns the form as a whole */
  errorTitle: string;
}) {
  const { form, action, errorTitle } = props;
  const url = form.text("url");
  const events = form.list("events");
  return (
    <FormCard id="webhook" form={form} errorTitle={errorTitle} action={action}>
      <TextField
        {...url}
        error={capitalize(url.error)}
        label="URL"
        helpText="Messages are sent to this URL by POST. Use a public https:// address."
        placeholder="https://hooks.example.com/wishlist"
        autoComplete="off"
        inputMode="url"
      />
      <ChoiceList title="Events" allowMultiple choices={CHOICES} {...events} error={capitalize(events.error)} />
      <ChoiceList title="Requests" allowMultiple choices={BATCH_CHOICE} {...form.list("batch")} />
    </FormCard>
  );
}
