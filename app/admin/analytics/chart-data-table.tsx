import { Box } from "@shopify/polaris";
import type { ReactNode } from "react";
import { Disclosure } from "../disclosure.tsx";
import { formatNumber } from "../format.ts";
import { formatDayWithYear, markPartial } from "./date-ranges.ts";
import type { Series } from "./chart-series.ts";
import type { Point } from "./chart-points.ts";

/** In pixels. A longer table scrolls. */
const TABLE_HEIGHT = 420;
/** Tables with more rows reserve their full height before they render. */
const MAX_UNRESERVED_ROWS = 10;

function formatPointDays(point: Point): string {
  const { first, last } = point;
  const days = first === last ? formatDayWithYear(first) : `${formatDayWithYear(first)} – ${formatDayWithYear(last)}`;
  return markPartial(days, point);
}

function formatCell(value: number | string | undefined): string {
  return typeof value === "number" ? formatNumber(value) : (value ?? "–");
}

interface Column {
  name: string;
  value: (point: Point) => number | string | undefined;
}

function columnsOf(points: readonly Point[], series: readonly Series[]): Column[] {
  const columns: Column[] = series.map(({ metric, name, format = formatNumber }) => ({
    name,
    value: (point) => format(point[metric] ?? 0),
  }));
  if (points.some(({ uniqueShoppers }) => uniqueShoppers !== undefined)) {
    columns.push({ name: "Active shoppers", value: ({ uniqueShoppers }) => uniqueShoppers });
  }
  if (points.every(({ previous }) => previous === undefined)) return columns;
  const previousColumns = columns.map(({ name, value }) => ({
    name: `${name} (previous)`,
    value: ({ previous }: Point) => previous && value(previous),
  }));
  return [
    ...columns,
    { name: "Compared to", value: ({ previous }) => previous && formatPointDays(previous) },
    ...previousColumns,
  ];
}

/** Shows the charts' data as a table, which is also accessible to screen readers. */
export function ChartDataTable(props: {
  caption: string;
  points: readonly Point[];
  series: readonly Series[];
  /** download button */
  download: ReactNode;
}) {
  const { caption, points, series, download } = props;
  return (
    <Disclosure
      label="Show table"
      openLabel="Hide table"
      looksLike="button"
      aside={download}
      minHeight={points.length > MAX_UNRESERVED_ROWS ? TABLE_HEIGHT + 18 : 0}
    >
      <Table caption={caption} points={points} columns={columnsOf(points, series)} />
    </Disclosure>
  );
}

function Table({ caption, points, columns }: { caption: string; points: readonly Point[]; columns: Column[] }) {
  return (
    <Box borderWidth="025" borderColor="border-secondary" borderRadius="200">
      {/* Focusable, so that the keyboard can scroll it. */}
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
                <th scope="row">{formatPointDays(point)}</th>
                {columns.map(({ name, value }) => (
                  <td key={name}>{formatCell(value(point))}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Box>
  );
}
