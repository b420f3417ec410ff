import { BlockStack, Box, InlineStack, Text } from "@shopify/polaris";
import { CartesianGrid, Line as Stroke, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { calendarDay } from "../shop-time.tsx";
import { readable } from "../numbers.ts";
import { spanOfDays } from "./dates.ts";
import { LineSample, Marker } from "./line-sample.tsx";
import { BEFORE_COLOUR, CHART_HEIGHT, DASHES, NOW_COLOUR, type Line } from "./lines.ts";
import type { Point } from "./points.ts";

/** Points of which each has a marker; more would hide the line. */
const MARKED = 31;
/** Days that are written below at most. The library measures the text of each that it may write, which takes longer than the lines. */
const DATED = 5;

/** The days of the last point and of some before it, at even distances. */
function datedOf(points: readonly Point[]): string[] {
  const step = Math.ceil(points.length / DATED);
  return points.filter((_, place) => (points.length - 1 - place) % step === 0).map(({ first }) => first);
}

export interface ChartProps {
  /** says what the chart shows */
  label: string;
  lines: readonly Line[];
  points: readonly Point[];
}

/** Of a marker, as the library gives it. */
interface Place {
  cx?: number | undefined;
  cy?: number | undefined;
  index?: number | undefined;
}

function Row({ line, name, value, before }: { line: Line; name: string; value: number; before: boolean }) {
  return (
    <InlineStack gap="200" blockAlign="center" align="space-between" wrap={false}>
      <InlineStack gap="200" blockAlign="center" wrap={false}>
        <LineSample line={line} before={before} />
        <Text as="span">{name}</Text>
      </InlineStack>
      <Text as="span" fontWeight="semibold" numeric>
        {readable(value)}
      </Text>
    </InlineStack>
  );
}

/** What is at one place of the chart: by pointer, touch, or the arrow keys. */
function Reading({ point, lines }: { point: Point; lines: readonly Line[] }) {
  const { before } = point;
  return (
    <Box background="bg-surface" padding="300" borderRadius="200" shadow="300">
      <BlockStack gap="150">
        <Text as="p" fontWeight="semibold">
          {spanOfDays(point)}
        </Text>
        {lines.map((line) => (
          <Row key={line.of} line={line} name={line.name} value={point[line.of]} before={false} />
        ))}
        {before && (
          <>
            <Text as="p" tone="subdued">
              {spanOfDays(before)} (previous period)
            </Text>
            {lines.map((line) => (
              <Row key={line.of} line={line} name={line.name} value={before[line.of]} before />
            ))}
          </>
        )}
      </BlockStack>
    </Box>
  );
}

/** Lines over time. It brings a library along, so it is loaded where it is shown (`LazyChart`). */
export default function Chart({ label, lines, points }: ChartProps) {
  const byDay = new Map(points.map((point) => [point.first, point]));
  const axis = { stroke: "var(--p-color-border)", tick: { fill: "var(--p-color-text-secondary)", fontSize: 12 } };
  const compared = points.some(({ before }) => before !== undefined);
  return (
    <ResponsiveContainer width="100%" height={CHART_HEIGHT}>
      <LineChart data={[...points]} title={label} margin={{ top: 8, right: 12, bottom: 0, left: 0 }}>
        <CartesianGrid vertical={false} stroke="var(--p-color-border-secondary)" />
        <XAxis
          dataKey="first"
          ticks={datedOf(points)}
          tickFormatter={calendarDay}
          minTickGap={16}
          tickLine={false}
          {...axis}
        />
        <YAxis
          width="auto"
          allowDecimals={false}
          tickLine={false}
          tickFormatter={(value: number) => readable(value)}
          {...axis}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: "var(--p-color-border)" }}
          content={({ active, label: day }) => {
            const point = active ? byDay.get(String(day)) : undefined;
            return <div role="status">{point && <Reading point={point} lines={lines} />}</div>;
          }}
        />
        {compared &&
          lines.map((line) => (
            <Stroke
              key={`before ${line.of}`}
              dataKey={({ before }: Point) => before?.[line.of]}
              name={`${line.name}, the period before`}
              stroke={BEFORE_COLOUR}
              strokeWidth={1.5}
              strokeDasharray={DASHES[line.stroke]}
              dot={false}
              activeDot={false}
              isAnimationActive={false}
            />
          ))}
        {lines.map((line) => (
          <Stroke
            key={line.of}
            dataKey={line.of}
            name={line.name}
            stroke={NOW_COLOUR}
            strokeWidth={2}
            strokeDasharray={DASHES[line.stroke]}
            dot={
              points.length > MARKED
                ? false
                : ({ cx, cy, index }: Place) => <Marker key={index} x={cx ?? 0} y={cy ?? 0} line={line} size={5} />
            }
            activeDot={({ cx, cy }: Place) => <Marker x={cx ?? 0} y={cy ?? 0} line={line} size={8} />}
            isAnimationActive={false}
          />
        ))}
      </LineChart>
    </ResponsiveContainer>
  );
}
