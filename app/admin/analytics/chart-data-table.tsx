import { Box, Button, InlineStack } from "@shopify/polaris";
import { type ReactNode, startTransition, useEffect, useId, useState } from "react";
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
  const [open, setOpen] = useState(false);
  const rendered = useAfterPaint(open);
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
        {download}
      </InlineStack>
      {/* Reserves the height of a long table, so that rendering its rows does not shift the layout. */}
      <Box
        id={id}
        paddingBlockStart={open ? "400" : "0"}
        minHeight={open && points.length > MAX_UNRESERVED_ROWS ? `${TABLE_HEIGHT + 18}px` : "0"}
      >
        {rendered && <Table caption={caption} points={points} columns={columnsOf(points, series)} />}
      </Box>
    </div>
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

/**
 * Returns `value`, but turns true only after the next paint, so that the browser shows a click's effect before expensive content renders.
 * (React's `useDeferredValue` may run before the paint.)
 */
function useAfterPaint(value: boolean): boolean {
  const [painted, setPainted] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      // The frame has been painted when the timer fires.
      timer = setTimeout(() => startTransition(() => setPainted(value)));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [value]);
  return value && painted;
}
