import { BlockStack, Button, InlineGrid, InlineStack, Select, Text } from "@shopify/polaris";
import type { Staff } from "../../audit/actions.ts";
import type { CustomerNames } from "../../customers/customer-names.ts";
import { useChoices } from "../use-choices.ts";
import { AREA_LABELS, staffName } from "./audit-labels.ts";
import { customerTitle } from "./owner-labels.ts";

export type AuditFilter = Readonly<Partial<Record<"area" | "staff" | "customer", string | undefined>>>;

/** Returns the URL of the audit page with filters and an optional cursor. */
export function auditUrl({ area, staff, customer }: AuditFilter, cursor: Record<string, string> = {}): string {
  const query = new URLSearchParams(cursor);
  for (const [name, value] of Object.entries({ area, staff, customer })) {
    if (value !== undefined && value !== "") query.set(name, value);
  }
  return query.size === 0 ? "/app/wishlists/audit" : `/app/wishlists/audit?${query}`;
}

/** Filters of the audit page. They are in the URL. */
export function AuditFilters(props: {
  filter: AuditFilter;
  staffMembers: readonly Staff[];
  currentStaffId: string;
  names: CustomerNames;
}) {
  const { filter, staffMembers, currentStaffId, names } = props;
  const { chosen, choose } = useChoices(filter, auditUrl);
  const { area = "", staff: staffId = "", customer } = chosen;
  const allStaff = { label: "All staff", value: "" };
  const options = staffMembers.map((staff) => ({ label: staffName(staff, currentStaffId), value: staff.id }));
  return (
    <BlockStack gap="200">
      <InlineGrid columns={{ xs: 1, sm: 2 }} gap="200">
        <Select
          label="Activity"
          options={[
            { label: "All activity", value: "" },
            ...Object.entries(AREA_LABELS).map(([value, label]) => ({ value, label })),
          ]}
          value={area}
          onChange={(value) => choose({ area: value })}
        />
        <Select
          label="Staff member"
          options={[allStaff, ...options]}
          value={staffId}
          onChange={(value) => choose({ staff: value })}
        />
      </InlineGrid>
      {customer !== undefined && (
        <InlineStack gap="200" blockAlign="center">
          <Text as="span" breakWord>
            {customerTitle(names, customer)}
          </Text>
          <Button variant="plain" url={auditUrl({ ...chosen, customer: undefined })}>
            Show all customers
          </Button>
        </InlineStack>
      )}
    </BlockStack>
  );
}
