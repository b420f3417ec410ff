import { BlockStack, Box, Card, Link, Text } from "@shopify/polaris";
import type { CustomerNames } from "../../customers/customer-names.ts";
import type { AuditEntry, Staff } from "../../audit/actions.ts";
import { AdminPage } from "../admin-page.tsx";
import { ListTable } from "../list-table.tsx";
import { useShopDates } from "../shop-dates.tsx";
import { ListPagination } from "../list-pagination.tsx";
import { EmptyList } from "../empty-list.tsx";
import { AuditFilters, auditUrl, type AuditFilter } from "./audit-filters.tsx";
import { customerTitle } from "./owner-labels.ts";
import { actorName, subjectUrl, describeEntry } from "./audit-labels.ts";

export interface AuditPageProps {
  entries: readonly AuditEntry[];
  hasNewer: boolean;
  hasOlder: boolean;
  /** product titles by id */
  titles: Readonly<Record<string, string>>;
  names: CustomerNames;
  /** staff members with entries */
  staffMembers: readonly Staff[];
  /** id of the staff member who views the page */
  currentStaffId: string;
  filters: AuditFilter;
}

type Row = { entry: AuditEntry } & Pick<AuditPageProps, "titles" | "names" | "currentStaffId">;

function EntrySummary({ entry, titles, names }: Omit<Row, "currentStaffId">) {
  const { summary, detail } = describeEntry(entry, titles);
  const url = subjectUrl(entry);
  return (
    <BlockStack gap="050">
      {url === undefined ? (
        <Text as="span" fontWeight="semibold" breakWord>
          {summary}
        </Text>
      ) : (
        <Link url={url} monochrome removeUnderline>
          <Text as="span" fontWeight="semibold" breakWord>
            {summary}
          </Text>
        </Link>
      )}
      {detail !== "" && (
        <Text as="span" tone="subdued" variant="bodySm" breakWord>
          {detail}
        </Text>
      )}
      {entry.customerId !== null && (
        <Text as="span" tone="subdued" variant="bodySm" breakWord>
          {customerTitle(names, entry.customerId)}
        </Text>
      )}
    </BlockStack>
  );
}

function Cells({ entry, titles, names, currentStaffId }: Row) {
  const { formatDateTime } = useShopDates();
  return (
    <>
      <td>
        <div style={{ maxWidth: "32rem", whiteSpace: "normal" }}>
          <EntrySummary entry={entry} titles={titles} names={names} />
        </div>
      </td>
      <td>{actorName(entry, currentStaffId)}</td>
      <td>{formatDateTime(entry.at)}</td>
    </>
  );
}

function NarrowRow({ entry, titles, names, currentStaffId }: Row) {
  const { formatDateTime } = useShopDates();
  return (
    <Box padding="400" width="100%">
      <BlockStack gap="100">
        <EntrySummary entry={entry} titles={titles} names={names} />
        <Text as="span" tone="subdued" variant="bodySm">
          {actorName(entry, currentStaffId)}, {formatDateTime(entry.at)}
        </Text>
      </BlockStack>
    </Box>
  );
}

/** Shows the audit log: changes by staff, newest first. */
export function AuditPage({
  entries,
  hasNewer,
  hasOlder,
  titles,
  names,
  staffMembers,
  currentStaffId,
  filters,
}: AuditPageProps) {
  const isFiltered = filters.area !== undefined || filters.staff !== undefined || filters.customer !== undefined;
  return (
    <AdminPage title="Staff activity" back={{ label: "Wishlists", url: "/app/wishlists" }}>
      <BlockStack gap="400">
        <Card padding="0">
          {(entries.length > 0 || isFiltered) && (
            <Box padding="400">
              <AuditFilters
                filter={filters}
                staffMembers={staffMembers}
                currentStaffId={currentStaffId}
                names={names}
              />
            </Box>
          )}
          {entries.length > 0 ? (
            <ListTable
              // Filters replace the rows, so a new table renders instead of reordering the old one.
              key={auditUrl(filters)}
              label="Staff activity"
              columns={[{ title: "Activity" }, { title: "Staff member" }, { title: "Date" }]}
              rows={entries.map((entry) => ({
                id: entry.id,
                cells: <Cells entry={entry} titles={titles} names={names} currentStaffId={currentStaffId} />,
                narrow: <NarrowRow entry={entry} titles={titles} names={names} currentStaffId={currentStaffId} />,
              }))}
            />
          ) : (
            <Box paddingInline="400">
              <EmptyList
                glyph="clock"
                heading={isFiltered ? "No matching entries" : "No staff activity yet"}
                {...(isFiltered ? { action: { content: "Clear filters", url: "/app/wishlists/audit" } } : {})}
              >
                <p>
                  {isFiltered
                    ? "Choose another activity or staff member."
                    : "Changes that staff make in this app appear here, with their name and the time."}
                </p>
              </EmptyList>
            </Box>
          )}
          <ListPagination
            items="staff activity"
            previous={hasNewer ? auditUrl(filters, { after: entries[0]?.id ?? "" }) : undefined}
            next={hasOlder ? auditUrl(filters, { before: entries.at(-1)?.id ?? "" }) : undefined}
          />
        </Card>
        <Box paddingInline={{ xs: "400", sm: "0" }}>
          <Text as="p" tone="subdued" variant="bodySm">
            Entries are kept for one year. A staff member without a name appears with the ID at the end of their
            page&apos;s URL under Settings, Users.
          </Text>
        </Box>
      </BlockStack>
    </AdminPage>
  );
}
