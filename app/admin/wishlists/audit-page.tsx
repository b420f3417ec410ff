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
import type { AuditEntry, Staff } from "../../shops/audit-acts.ts";
import { AdminPage } from "../admin-page.tsx";
import { ListTable } from "../list-table.tsx";
import { useShopTime } from "../shop-time.tsx";
import { ListPages } from "../list-pages.tsx";
import { shortened } from "./owner.ts";
import { AREA_WORDS, personName, subjectUrl, wordsOf } from "./audit-words.ts";

type Filters = Readonly<Partial<Record<"area" | "staff" | "customer", string | undefined>>>;

export interface AuditData {
  entries: readonly AuditEntry[];
  hasNewer: boolean;
  hasOlder: boolean;
  /** of products, by their ids */
  titles: Readonly<Record<string, string>>;
  /** who has done anything */
  people: readonly Staff[];
  /** whose page it is */
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

function Filtering({ asked, people, you }: Pick<AuditData, "asked" | "people" | "you">) {
  const navigate = useNavigate();
  const { area = "", staff = "", customer } = asked;
  const everybody = { label: "Everybody", value: "" };
  const options = people.map((one) => ({ label: personName(one, you), value: one.id }));
  return (
    <BlockStack gap="200">
      <InlineGrid columns={{ xs: 1, sm: 2 }} gap="200">
        <Select
          label="What"
          options={[
            { label: "Everything", value: "" },
            ...Object.entries(AREA_WORDS).map(([value, label]) => ({ value, label })),
          ]}
          value={area}
          onChange={(value) => navigate(addressOf({ ...asked, area: value }))}
        />
        <Select
          label="Who"
          options={[everybody, ...options]}
          value={staff}
          onChange={(value) => navigate(addressOf({ ...asked, staff: value }))}
        />
      </InlineGrid>
      {customer !== undefined && (
        <InlineStack gap="200" blockAlign="center">
          <Text as="span" breakWord>
            Of customer {customer}
          </Text>
          <Button variant="plain" url={addressOf({ ...asked, customer: undefined })}>
            Show all customers
          </Button>
        </InlineStack>
      )}
    </BlockStack>
  );
}

function Act({ entry, titles }: { entry: AuditEntry; titles: AuditData["titles"] }) {
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
          Customer {shortened(entry.customerId)}
        </Text>
      )}
    </BlockStack>
  );
}

type Row = { entry: AuditEntry } & Pick<AuditData, "titles" | "you">;

function Cells({ entry, titles, you }: Row) {
  const { minute } = useShopTime();
  return (
    <>
      <td>
        <div style={{ maxWidth: "32rem", whiteSpace: "normal" }}>
          <Act entry={entry} titles={titles} />
        </div>
      </td>
      <td>{personName(entry.staff, you)}</td>
      <td>{minute(entry.at)}</td>
    </>
  );
}

function NarrowRow({ entry, titles, you }: Row) {
  const { minute } = useShopTime();
  return (
    <Box padding="400" width="100%">
      <BlockStack gap="100">
        <Act entry={entry} titles={titles} />
        <Text as="span" tone="subdued" variant="bodySm">
          {personName(entry.staff, you)}, {minute(entry.at)}
        </Text>
      </BlockStack>
    </Box>
  );
}

/** What staff changed: who, what and when, newest first. */
export function AuditListPage({ entries, hasNewer, hasOlder, titles, people, you, asked }: AuditData) {
  const filtered = asked.area !== undefined || asked.staff !== undefined || asked.customer !== undefined;
  return (
    <AdminPage title="What staff changed" back={{ label: "Wishlists", url: "/app/wishlists" }}>
      <BlockStack gap="400">
        <Card padding="0">
          <Box padding="400">
            <Filtering asked={asked} people={people} you={you} />
          </Box>
          {entries.length > 0 ? (
            <ListTable
              // Other rows, not the same in other places: what was chosen appears, and nothing moves.
              key={addressOf(asked)}
              of="Changes"
              columns={[{ title: "What" }, { title: "Who" }, { title: "When" }]}
              rows={entries.map((entry) => ({
                id: entry.id,
                cells: <Cells entry={entry} titles={titles} you={you} />,
                narrow: <NarrowRow entry={entry} titles={titles} you={you} />,
              }))}
            />
          ) : (
            <Box paddingInline="400">
              <EmptyState
                heading={filtered ? "Nothing of the kind" : "Nothing was changed yet"}
                image=""
                {...(filtered ? { action: { content: "Show everything", url: "/app/wishlists/audit" } } : {})}
              >
                <p>What staff change in the admin is listed here, with who it was and when.</p>
              </EmptyState>
            </Box>
          )}
          <ListPages
            of="changes"
            previous={hasNewer ? addressOf(asked, { after: entries[0]?.id ?? "" }) : undefined}
            next={hasOlder ? addressOf(asked, { before: entries.at(-1)?.id ?? "" }) : undefined}
          />
        </Card>
        <Box paddingInline={{ xs: "400", sm: "0" }}>
          <Text as="p" tone="subdued" variant="bodySm">
            Kept for a year. A number is a staff member&apos;s id: it ends the address of their page under Settings,
            Users.
          </Text>
        </Box>
      </BlockStack>
    </AdminPage>
  );
}
