import { BlockStack, Button, InlineGrid, InlineStack, Select, TextField } from "@shopify/polaris";
import { useState } from "react";
import { ALERT_KINDS } from "../../alerts/kinds.ts";
import { ALERT_OUTCOMES, MAX_SEARCH, type AlertFilters } from "../../alerts/report.ts";
import { DatePicker } from "../analytics/period-picker.tsx";
import { EnterForm } from "../enter-form.tsx";
import { useChoices } from "../use-choices.ts";
import { ALERT_LABELS, alertLogUrl, OUTCOME_LABELS } from "./alert-labels.ts";

const ALL = "";

/** Selects an outcome. */
export function OutcomeSelect(props: {
  value: AlertFilters["status"];
  onChange: (status: AlertFilters["status"]) => void;
}) {
  const { value, onChange } = props;
  return (
    <Select
      label="Outcome"
      options={[
        { value: ALL, label: "All outcomes" },
        ...ALERT_OUTCOMES.map((status) => ({ value: status, label: OUTCOME_LABELS[status] })),
      ]}
      value={value ?? ALL}
      onChange={(chosen) => onChange(ALERT_OUTCOMES.find((status) => status === chosen))}
    />
  );
}

function Search({ q, onSearch }: { q: string | undefined; onSearch: (q: string | undefined) => void }) {
  const [text, setText] = useState(q ?? "");
  const search = (): void => onSearch(text.trim() === "" ? undefined : text.trim());
  return (
    <EnterForm onSubmit={search}>
      <TextField
        label="Product"
        placeholder="Part of the title"
        autoComplete="off"
        maxLength={MAX_SEARCH}
        value={text}
        onChange={setText}
        clearButton
        onClearButtonClick={() => {
          setText("");
          onSearch(undefined);
        }}
        connectedRight={<Button submit>Search</Button>}
      />
    </EnterForm>
  );
}

/** Filters of the alert log. They are in the URL. @param props.today the shop's calendar day */
export function LogFilters({ filters, today }: { filters: AlertFilters; today: string }) {
  const { chosen, choose: show } = useChoices(filters, alertLogUrl);
  const { q, kind, status, from = "", to = "" } = chosen;
  const given = (date: string): string | undefined => (date === "" ? undefined : date);
  return (
    <BlockStack gap="300">
      <InlineGrid columns={{ xs: 1, sm: ["twoThirds", "oneThird", "oneThird"] }} gap="300">
        <Search key={q} q={q} onSearch={(text) => show({ q: text })} />
        <Select
          label="Kind"
          options={[
            { value: ALL, label: "All kinds" },
            ...ALERT_KINDS.map((value) => ({ value, label: ALERT_LABELS[value].label })),
          ]}
          value={kind ?? ALL}
          onChange={(value) => show({ kind: ALERT_KINDS.find((some) => some === value) })}
        />
        <OutcomeSelect value={status} onChange={(value) => show({ status: value })} />
      </InlineGrid>
      <InlineStack gap="300" blockAlign="end">
        <DatePicker
          key={`${from} ${to}`}
          dates={{ from, to }}
          today={today}
          onApply={(dates) => show({ from: given(dates.from), to: given(dates.to) })}
        />
        {from + to !== "" && (
          <Button variant="plain" onClick={() => show({ from: undefined, to: undefined })}>
            Show all dates
          </Button>
        )}
      </InlineStack>
    </BlockStack>
  );
}
