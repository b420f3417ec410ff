import { Box, Button, InlineStack } from "@shopify/polaris";
import { useId, useState, type ReactNode } from "react";
import { useAfterFrame } from "../after-frame.ts";
import { readable } from "../numbers.ts";
import { fullDay } from "./dates.ts";
import type { Line } from "./lines.ts";
import type { Point } from "./points.ts";

/** Pixels that a table has at most, before it scrolls. */
const TABLE_HEIGHT = 420;
/** Rows that need less. */
const FEW = 10;

function days({ first, last }: Point): string {
  return first === last ? fullDay(first) : `${fullDay(first)} – ${fullDay(last)}`;
}

function written(value: number | string | undefined): string {
  return typeof value === "number" ? readable(value) : (value ?? "–");
}

interface Column {
  name: string;
  value: (point: Point) => number | string | undefined;
}

function columnsOf(points: readonly Point[], lines: readonly Line[]): Column[] {
  const columns: Column[] = lines.map(({ of, name }) => ({ name, value: (point) => point[of] }));
  if (points.some(({ uniqueShoppers }) => uniqueShoppers !== undefined)) {
    columns.push({ name: "Active shoppers", value: ({ uniqueShoppers }) => uniqueShoppers });
  }
  if (points.every(({ before }) => before === undefined)) return columns;
  const past = columns.map(({ name, value }) => ({
    name: `${name} (previous)`,
    value: ({ before }: Point) => before && value(before),
  }));
  return [...columns, { name: "Compared to", value: ({ before }) => before && days(before) }, ...past];
}

/** What the charts show as a table, for those who would rather read it, or can't see them. */
export function PointTable(props: {
  caption: string;
  points: readonly Point[];
  lines: readonly Line[];
  /** stands beside the button */
  beside: ReactNode;
}) {
  const { caption, points, lines, beside } = props;
  const [open, setOpen] = useState(false);
  const filled = useAfterFrame(open);
  const id = useId();
  return (
    <div>
      <InlineStack gap="300" align="space-between">
        <Button
          disclosure={open ? "up" : "down"}
          ariaExpanded={open}
          ariaControls={id}
          onClick={() => setOpen((before) => !before)}
        >
          {open ? "Hide table" : "Show table"}
        </Button>
        {beside}
      </InlineStack>
      {/* The room of a long table is there at once, so that nothing moves when its rows are. */}
      <Box
        id={id}
        paddingBlockStart={open ? "400" : "0"}
        minHeight={open && points.length > FEW ? `${TABLE_HEIGHT + 18}px` : "0"}
      >
        {filled && <Table caption={caption} points={points} columns={columnsOf(points, lines)} />}
      </Box>
    </div>
  );
}

function Table({ caption, points, columns }: { caption: string; points: readonly Point[]; columns: Column[] }) {
  return (
    <Box borderWidth="025" borderColor="border-secondary" borderRadius="200">
      {/* It scrolls by itself, by keyboard too, so that the page need not. */}
      <div role="region" aria-label={caption} tabIndex={0} className="point-table" style={{ maxHeight: TABLE_HEIGHT }}>
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              <th scope="col">Date</th>
              {columns.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...points].reverse().map((point) => (
              <tr key={point.first}>
                <th scope="row">{days(point)}</th>
                {columns.map(({ name, value }) => (
                  <td key={name}>{written(value(point))}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Box>
  );
}
