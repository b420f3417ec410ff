import { useNavigate } from "@remix-run/react";
import { Box, Checkbox, InlineStack, Select } from "@shopify/polaris";
import { useEffect, useState } from "react";
import { PERIODS, spanQuery, type Period, type Span } from "../../analytics/periods.ts";
import { ANALYTICS_LINK } from "./analytics-link.ts";

const OPTIONS = PERIODS.map((days) => ({ value: String(days), label: `Last ${days} days` }));

/** Selects the period of a page. The URL contains it, so that the page can be shared and the Back button works. */
export function PeriodPicker({ period, onChange }: { period: Period; onChange: (period: Period) => void }) {
  return (
    <Select
      label="Period"
      labelInline
      options={OPTIONS}
      value={String(period)}
      onChange={(value) => onChange(PERIODS.find((days) => String(days) === value) ?? period)}
    />
  );
}

/** Selects the period and whether to compare it to the previous one. */
export function ComparisonPicker({ span }: { span: Span }) {
  const navigate = useNavigate();
  // Show the selection immediately, while its data loads.
  const [shown, setShown] = useState(span);
  useEffect(() => setShown(span), [span]);
  const select = (change: Partial<Span>): void => {
    const selected = { ...shown, ...change };
    setShown(selected);
    navigate(ANALYTICS_LINK.url + spanQuery(selected));
  };
  return (
    <Box paddingInline={{ xs: "400", sm: "0" }}>
      <InlineStack gap="400" blockAlign="center">
        <PeriodPicker period={shown.period} onChange={(period) => select({ period })} />
        <Checkbox
          label="Compare to previous period"
          checked={shown.compare}
          onChange={(compare) => select({ compare })}
        />
      </InlineStack>
    </Box>
  );
}
