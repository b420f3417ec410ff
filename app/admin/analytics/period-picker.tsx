import { Banner, BlockStack, Box, Button, Checkbox, InlineStack, Select, TextField } from "@shopify/polaris";
import { useState, type ReactNode } from "react";
import { PERIODS, spanQuery, type Dates, type Span } from "../../analytics/periods.ts";
import { useAfterPaint } from "../use-after-paint.ts";
import { useChoices } from "../use-choices.ts";
import { ANALYTICS_PATH } from "./analytics-link.ts";

const CUSTOM = "custom";

const OPTIONS = [
  ...PERIODS.map((days) => ({ value: String(days), label: `Last ${days} days` })),
  { value: CUSTOM, label: "Custom dates" },
];

interface PickerProps {
  span: Span;
  /** the shop's calendar day */
  today: string;
  /** why the chosen dates can't be shown */
  problem: string | undefined;
  /** path of the page */
  path: string;
}

/** Returns the dates of the last `days` days. */
function lastDays(days: number, today: string): Dates {
  const first = new Date(`${today}T00:00:00Z`);
  first.setUTCDate(first.getUTCDate() - days + 1);
  return { from: first.toISOString().slice(0, 10), to: today };
}

/** Fields for the first and last day of a period. */
export function DatePicker(props: { dates: Dates; today: string; onApply: (dates: Dates) => void }) {
  const { today, onApply } = props;
  const [dates, setDates] = useState(props.dates);
  const field = (name: keyof Dates, label: string) => (
    <TextField
      label={label}
      type="date"
      autoComplete="off"
      max={today}
      value={dates[name]}
      onChange={(value) => setDates((before) => ({ ...before, [name]: value }))}
    />
  );
  return (
    <InlineStack gap="300" blockAlign="end">
      {field("from", "First day")}
      {field("to", "Last day")}
      <Button onClick={() => onApply(dates)}>Show dates</Button>
    </InlineStack>
  );
}

/**
 * Selects the period of a page. The URL contains it, so that the page can be shared and the Back button works.
 * @param props.children further choices
 */
export function PeriodPicker(
  props: PickerProps & { children?: (shown: Span, select: (change: Partial<Span>) => void) => ReactNode },
) {
  const { span, today, problem, path, children } = props;
  const { chosen: shown, choose: select } = useChoices(span, (choices) => path + spanQuery(choices));
  // The fields were opened, and no dates are chosen yet.
  const [isOpened, setIsOpened] = useState(false);
  const isCustom = isOpened || shown.dates !== undefined;
  // The choice takes effect before the fields move the page.
  const isOpenedAndPainted = useAfterPaint(isOpened);
  return (
    <BlockStack gap="300">
      <InlineStack gap="400" blockAlign="center">
        <Select
          label="Period"
          labelInline
          options={OPTIONS}
          value={isCustom ? CUSTOM : String(shown.period)}
          onChange={(value) => {
            const period = PERIODS.find((days) => String(days) === value);
            setIsOpened(period === undefined);
            if (period !== undefined) select({ period, dates: undefined });
          }}
        />
        {children?.(shown, select)}
      </InlineStack>
      {(isOpenedAndPainted || shown.dates !== undefined) && (
        <DatePicker
          key={JSON.stringify(shown.dates)}
          dates={shown.dates ?? lastDays(shown.period, today)}
          today={today}
          onApply={(dates) => {
            setIsOpened(false);
            select({ dates });
          }}
        />
      )}
      {problem !== undefined && (
        <Banner tone="critical" title="These dates can't be shown">
          {problem} The last {shown.period} days are shown instead.
        </Banner>
      )}
    </BlockStack>
  );
}

/** Selects the period of the analytics page, and whether to compare it to the previous one. */
export function ComparisonPicker(props: Omit<PickerProps, "path">) {
  return (
    <Box paddingInline={{ xs: "400", sm: "0" }}>
      <div className="period-picker">
        <PeriodPicker {...props} path={ANALYTICS_PATH}>
          {(shown, select) => (
            <Checkbox
              label="Compare to previous period"
              checked={shown.compare}
              onChange={(compare) => select({ compare })}
            />
          )}
        </PeriodPicker>
      </div>
    </Box>
  );
}
