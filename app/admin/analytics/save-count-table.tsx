import { BlockStack, Box, InlineStack, Text } from "@shopify/polaris";
import type { ReactNode } from "react";
import { ListTable } from "../list-table.tsx";
import { formatNumber } from "../format.ts";

/** A product or variant and the number of wishlists that contain it. */
export interface SaveCountRow {
  id: string;
  image?: ReactNode;
  name: ReactNode;
  /** cells in the order of `columns` */
  details: readonly ReactNode[];
  count: number;
}

function Count({ count }: { count: number }) {
  return (
    <Text as="span" fontWeight="semibold" numeric>
      {formatNumber(count)}
    </Text>
  );
}

function NarrowRow({ row: { image, name, details, count } }: { row: SaveCountRow }) {
  return (
    <Box padding="400" width="100%">
      <InlineStack align="space-between" blockAlign="start" gap="300" wrap={false}>
        <InlineStack gap="300" blockAlign="start" wrap={false}>
          {image}
          <BlockStack gap="100" inlineAlign="start">
            {name}
            {details.map((detail, index) => (
              <div key={index}>{detail}</div>
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

function Cells({ row: { image, name, details, count } }: { row: SaveCountRow }) {
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
      {details.map((detail, index) => (
        <td key={index}>{detail}</td>
      ))}
      <td className="list-table-end">
        <Count count={count} />
      </td>
    </>
  );
}

/** Lists products or variants by their number of saves. */
export function SaveCountTable(props: {
  /** accessible name */
  label: string;
  heading: string;
  /** headings of `details` */
  columns: readonly string[];
  rows: readonly SaveCountRow[];
  /** whether the names are links */
  hasLinks: boolean;
}) {
  const { label, heading, columns, rows, hasLinks } = props;
  return (
    <ListTable
      label={label}
      hasLinks={hasLinks}
      columns={[{ title: heading }, ...columns.map((title) => ({ title })), { title: "Saves", alignment: "end" }]}
      rows={rows.map((row) => ({ id: row.id, cells: <Cells row={row} />, narrow: <NarrowRow row={row} /> }))}
    />
  );
}
