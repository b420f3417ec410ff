import { useNavigate } from "@remix-run/react";
import { Box, Checkbox, InlineStack, Select } from "@shopify/polaris";
import { useEffect, useState } from "react";
import { PERIODS, spanQuery, type Period, type Span } from "../../analytics/periods.ts";
import { ANALYTICS } from "./analytics-link.ts";

const OPTIONS = PERIODS.map((days) => ({ value: String(days), label: `Last ${days} days` }));

/** Which period a page is of. The address says it, so it can be kept, shared, and gone back to. */
export function PeriodPicker({ period, onChange }: { period: Period; onChange: (period: Period) => void }) {
  return (
    <Select
      label="Period"
      labelInline
      options={OPTIONS}
      value={String(period)}
      onChange={(chosen) => onChange(PERIODS.find((days) => String(days) === chosen) ?? period)}
    />
  );
}

export function SpanPicker({ span }: { span: Span }) {
  const navigate = useNavigate();
  // What was chosen shows at once, though its numbers take a moment.
  const [shown, setShown] = useState(span);
  useEffect(() => setShown(span), [span]);
  const go = (to: Partial<Span>): void => {
    const chosen = { ...shown, ...to };
    setShown(chosen);
    navigate(ANALYTICS.url + spanQuery(chosen));
  };
  return (
    <Box paddingInline={{ xs: "400", sm: "0" }}>
      <InlineStack gap="400" blockAlign="center">
        <PeriodPicker period={shown.period} onChange={(period) => go({ period })} />
        <Checkbox label="Compare to previous period" checked={shown.compare} onChange={(compare) => go({ compare })} />
      </InlineStack>
    </Box>
  );
}
