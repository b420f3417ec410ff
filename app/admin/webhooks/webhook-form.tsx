import { BlockStack, ChoiceList, InlineError, Text, TextField } from "@shopify/polaris";
import type { AdminForm } from "../use-form.ts";
import { FormCard } from "../form-card.tsx";
import { EVENT_GROUPS, EVENT_LABELS } from "./event-labels.ts";

const GROUPS = EVENT_GROUPS.map(({ title, events }) => ({
  title,
  events: events.map(String),
  choices: events.map((value) => ({ value, label: EVENT_LABELS[value].label, helpText: EVENT_LABELS[value].help })),
}));

/** Selects events in their groups. */
function EventChoices({ name, selected, onChange, error }: ReturnType<AdminForm<unknown>["list"]>) {
  return (
    <BlockStack gap="400">
      <Text as="h2" variant="headingSm">
        Events
      </Text>
      {error !== undefined && <InlineError fieldID={name} message={capitalize(error)} />}
      {GROUPS.map(({ title, events, choices }) => (
        <ChoiceList
          key={title}
          title={title}
          name={`${name}: ${title}`}
          allowMultiple
          choices={choices}
          selected={selected.filter((event) => events.includes(event))}
          onChange={(chosen) => onChange([...selected.filter((event) => !events.includes(event)), ...chosen])}
        />
      ))}
    </BlockStack>
  );
}

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

/** The form of a webhook: name, URL, events and batches. */
export function WebhookForm(props: {
  form: AdminForm<unknown>;
  /** heading of an error that concerns the form as a whole */
  errorTitle: string;
}) {
  const { form, errorTitle } = props;
  const name = form.text("name");
  const url = form.text("url");
  const events = form.list("events");
  return (
    <FormCard id="webhook" form={form} errorTitle={errorTitle}>
      <TextField
        {...name}
        error={capitalize(name.error)}
        label="Name (optional)"
        helpText="What you call the receiver, such as your newsletter tool. Without a name, its address is shown."
        autoComplete="off"
      />
      <TextField
        {...url}
        error={capitalize(url.error)}
        label="URL"
        helpText="Messages are sent to this URL by POST. Use a public https:// address."
        placeholder="https://hooks.example.com/wishlist"
        autoComplete="off"
        inputMode="url"
      />
      <EventChoices {...events} />
      <ChoiceList title="Requests" allowMultiple choices={BATCH_CHOICE} {...form.list("batch")} />
    </FormCard>
  );
}
