import { useNavigate } from "@remix-run/react";
import {
  BlockStack,
  Box,
  Button,
  Card,
  EmptyState,
  InlineGrid,
  InlineStack,
  Link,
  Select,
  Text,
} from "@shopify/polaris";
import type { CustomerNames } from "../../customers/customer-names.ts";
import type { AuditEntry, Staff } from "../../audit/actions.ts";
import { AdminPage } from "../admin-page.tsx";
import { ListTable } from "../list-table.tsx";
import { useShopTime } from "../shop-time.tsx";
import { ListPages } from "../list-pages.tsx";
import { customerTitle } from "./owner.ts";
import { AREA_WORDS, personName, subjectUrl, wordsOf } from "./audit-words.ts";

type Filters = Readonly<Partial<Record<"area" | "staff" | "customer", string | undefined>>>;

export interface AuditData {
  entries: readonly AuditEntry[];
  hasNewer: boolean;
  hasOlder: boolean;
  /** of products, by their ids */
  titles: Readonly<Record<string, string>>;
  names: CustomerNames;
  /** staff members with entries */
  people: readonly Staff[];
  /** the id of the staff member who sees the page */
  you: string;
  asked: Filters;
}

function addressOf({ area, staff, customer }: Filters, more: Record<string, string> = {}): string {
  const query = new URLSearchParams(more);
  for (const [name, value] of Object.entries({ area, staff, customer })) {
    if (value !== undefined && value !== "") query.set(name, value);
  }
  return query.size === 0 ? "/app/wishlists/audit" : `/app/wishlists/audit?${query}`;
}

function Filtering({ asked, people, you, names }: Pick<AuditData, "asked" | "people" | "you" | "names">) {
  const navigate = useNavigate();
  const { area = "", staff = "", customer } = asked;
  const everybody = { label: "All staff", value: "" };
  const options = people.map((one) => ({ label: personName(one, you), value: one.id }));
  return (
    <BlockStack gap="200">
      <InlineGrid columns={{ xs: 1, sm: 2 }} gap="200">
        <Select
          label="Activity"
          options={[
            { label: "All activity", value: "" },
            ...Object.entries(AREA_WORDS).map(([value, label]) => ({ value, label })),
          ]}
          value={area}
          onChange={(value) => navigate(addressOf({ ...asked, area: value }))}
        />
        <Select
          label="Staff member"
          options={[everybody, ...options]}
          value={staff}
          onChange={(value) => navigate(addressOf({ ...asked, staff: value }))}
        />
      </InlineGrid>
      {customer !== undefined && (
        <InlineStack gap="200" blockAlign="center">
          <Text as="span" breakWord>
            {customerTitle(names, customer)}
          </Text>
          <Button variant="plain" url={addressOf({ ...asked, customer: undefined })}>
            Show all customers
          </Button>
        </InlineStack>
      )}
    </BlockStack>
  );
}

type Row = { entry: AuditEntry } & Pick<AuditData, "titles" | "names" | "you">;

function Act({ entry, titles, names }: Omit<Row, "you">) {
  const { what, more } = wordsOf(entry, titles);
  const url = subjectUrl(entry);
  return (
    <BlockStack gap="050">
      {url === undefined ? (
        <Text as="span" fontWeight="semibold" breakWord>
          {what}
        </Text>
      ) : (
        <Link url={url} monochrome removeUnderline>
          <Text as="span" fontWeight="semibold" breakWord>
            {what}
          </Text>
        </Link>
      )}
      {more !== "" && (
        <Text as="span" tone="subdued" variant="bodySm" breakWord>
          {more}
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

function Cells({ entry, titles, names, you }: Row) {
  const { minute } = useShopTime();
  return (
    <>
      <td>
        <div style={{ maxWidth: "32rem", whiteSpace: "normal" }}>
          <Act entry={entry} titles={titles} names={names} />
        </div>
      </td>
      <td>{personName(entry.staff, you)}</td>
      <td>{minute(entry.at)}</td>
    </>
  );
}

function NarrowRow({ entry, titles, names, you }: Row) {
  const { minute } = useShopTime();
  return (
    <Box padding="400" width="100%">
      <BlockStack gap="100">
        <Act entry={entry} titles={titles} names={names} />
        <Text as="span" tone="subdued" variant="bodySm">
          {personName(entry.staff, you)}, {minute(entry.at)}
        </Text>
      </BlockStack>
    </Box>
  );
}

/** What staff did in the app: the change, the staff member and the time, newest first. */
export function AuditListPage({ entries, hasNewer, hasOlder, titles, names, people, you, asked }: AuditData) {
  const filtered = asked.area !== undefined || asked.staff !== undefined || asked.customer !== undefined;
  return (
    <AdminPage title="Staff activity" back={{ label: "Wishlists", url: "/app/wishlists" }}>
      <BlockStack gap="400">
        <Card padding="0">
          <Box padding="400">
            <Filtering asked={asked} people={people} you={you} names={names} />
          </Box>
          {entries.length > 0 ? (
            <ListTable
              // Filters change the rows: a new table replaces the old one instead of moving its rows.
              key={addressOf(asked)}
              of="Staff activity"
              columns={[{ title: "Activity" }, { title: "Staff member" }, { title: "Date" }]}
              rows={entries.map((entry) => ({
                id: entry.id,
                cells: <Cells entry={entry} titles={titles} names={names} you={you} />,
                narrow: <NarrowRow entry={entry} titles={titles} names={names} you={you} />,
              }))}
            />
          ) : (
            <Box paddingInline="400">
              <EmptyState
                heading={filtered ? "No matching entries" : "No staff activity yet"}
                image=""
                {...(filtered ? { action: { content: "Clear filters", url: "/app/wishlists/audit" } } : {})}
              >
                <p>
                  {filtered
                    ? "Choose another activity or staff member."
                    : "Changes that staff make in this app appear here, with their name and the time."}
                </p>
              </EmptyState>
            </Box>
          )}
          <ListPages
            of="staff activity"
            previous={hasNewer ? addressOf(asked, { after: entries[0]?.id ?? "" }) : undefined}
            next={hasOlder ? addressOf(asked, { before: entries.at(-1)?.id ?? "" }) : undefined}
          />
        </Card>
        <Box paddingInline={{ xs: "400", sm: "0" }}>
          <Text as="p" tone="subdued" variant="bodySm">
            Entries are kept for one year. A number is a staff member&apos;s ID, the last part of the address of their
            page under Settings, Users.
          </Text>
        </Box>
      </BlockStack>
    </AdminPage>
  );
}
