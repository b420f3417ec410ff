import { useNavigate } from "@remix-run/react";
import { Box, Checkbox, InlineStack, Select } from "@shopify/polaris";
import { PERIODS, spanQuery, type Period, type Span } from "../../analytics/periods.ts";

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
  const go = (to: Partial<Span>) => navigate(`/app/analytics${spanQuery({ ...span, ...to })}`);
  return (
    <Box paddingInline={{ xs: "400", sm: "0" }}>
      <InlineStack gap="400" blockAlign="center">
        <PeriodPicker period={span.period} onChange={(period) => go({ period })} />
        <Checkbox
          label="Compare with the period before"
          checked={span.compare}
          onChange={(compare) => go({ compare })}
        />
      </InlineStack>
    </Box>
  );
}
