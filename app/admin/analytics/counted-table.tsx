import { BlockStack, Box, InlineStack, Text } from "@shopify/polaris";
import type { ReactNode } from "react";
import { ListTable } from "../list-table.tsx";
import { readable } from "../numbers.ts";

/** A row: what it is of, what more is known, and how often it is saved now. */
export interface CountedRow {
  id: string;
  image?: ReactNode;
  name: ReactNode;
  /** by the columns of the table */
  details: readonly ReactNode[];
  count: number;
}

function Count({ count }: { count: number }) {
  return (
    <Text as="span" fontWeight="semibold" numeric>
      {readable(count)}
    </Text>
  );
}

function NarrowRow({ row: { image, name, details, count } }: { row: CountedRow }) {
  return (
    <Box padding="400" width="100%">
      <InlineStack align="space-between" blockAlign="start" gap="300" wrap={false}>
        <InlineStack gap="300" blockAlign="start" wrap={false}>
          {image}
          <BlockStack gap="100" inlineAlign="start">
            {name}
            {details.map((detail, place) => (
              <div key={place}>{detail}</div>
            ))}
          </BlockStack>
        </InlineStack>
        <div style={{ flex: "none", textAlign: "right" }}>
          <Count count={count} />
          <Text as="p" tone="subdued" variant="bodySm">
            {count === 1 ? "save" : "saves"}
          </Text>
        </div>
      </InlineStack>
    </Box>
  );
}

function Cells({ row: { image, name, details, count } }: { row: CountedRow }) {
  return (
    <>
      <td>
        <div style={{ whiteSpace: "normal" }}>
          <InlineStack gap="300" blockAlign="center" wrap={false}>
            {image}
            {name}
          </InlineStack>
        </div>
      </td>
      {details.map((detail, place) => (
        <td key={place}>{detail}</td>
      ))}
      <td className="list-table-end">
        <Count count={count} />
      </td>
    </>
  );
}

/** What is saved how often now, the most first. */
export function CountedTable(props: {
  /** what the rows are */
  of: string;
  heading: string;
  /** headings of the details */
  columns: readonly string[];
  rows: readonly CountedRow[];
  /** whether the names are links */
  opens: boolean;
}) {
  const { of, heading, columns, rows, opens } = props;
  return (
    <ListTable
      of={of}
      opens={opens}
      columns={[{ title: heading }, ...columns.map((title) => ({ title })), { title: "Saves", alignment: "end" }]}
      rows={rows.map((row) => ({ id: row.id, cells: <Cells row={row} />, narrow: <NarrowRow row={row} /> }))}
    />
  );
}
