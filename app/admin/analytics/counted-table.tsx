import { BlockStack, Box, IndexTable, InlineStack, Text, useBreakpoints } from "@shopify/polaris";
import type { ReactNode } from "react";

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
      {count.toLocaleString("en")}
    </Text>
  );
}

/** On a phone a row is a few lines, and nothing has to be pushed aside to be seen. */
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
            saved
          </Text>
        </div>
      </InlineStack>
    </Box>
  );
}

/** What is saved how often now, the most first. */
export function CountedTable(props: {
  resource: { singular: string; plural: string };
  heading: string;
  /** headings of the details */
  columns: readonly string[];
  rows: readonly CountedRow[];
}) {
  const { resource, heading, columns, rows } = props;
  const { smDown: narrow } = useBreakpoints();
  return (
    <IndexTable
      resourceName={resource}
      itemCount={rows.length}
      selectable={false}
      condensed={narrow}
      headings={[
        { title: heading },
        ...columns.map((title) => ({ id: title, title })),
        { title: "Times saved now", alignment: "end" },
      ]}
    >
      {rows.map((row, place) => (
        <IndexTable.Row id={row.id} key={row.id} position={place}>
          {narrow ? (
            <NarrowRow row={row} />
          ) : (
            <>
              <IndexTable.Cell>
                <div style={{ whiteSpace: "normal" }}>
                  <InlineStack gap="300" blockAlign="center" wrap={false}>
                    {row.image}
                    {row.name}
                  </InlineStack>
                </div>
              </IndexTable.Cell>
              {row.details.map((detail, column) => (
                <IndexTable.Cell key={columns[column]}>{detail}</IndexTable.Cell>
              ))}
              <IndexTable.Cell>
                <div style={{ textAlign: "right" }}>
                  <Count count={row.count} />
                </div>
              </IndexTable.Cell>
            </>
          )}
        </IndexTable.Row>
      ))}
    </IndexTable>
  );
}
