import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { formatCalendarDay } from "../shop-dates.tsx";
import { formatNumber } from "../format.ts";
import { formatDayRange, markPartial } from "./date-ranges.ts";
import { SeriesSwatch, Marker } from "./series-swatch.tsx";
import { PREVIOUS_COLOR, CHART_HEIGHT, DASHES, CURRENT_COLOR, PARTIAL_DASHES, type Series } from "./chart-series.ts";
import type { Point } from "./chart-points.ts";

/** More markers would hide the line. */
const MAX_MARKED_POINTS = 31;
/** The chart library measures each label, which takes longer than drawing the lines. */
const MAX_AXIS_DATES = 5;

/** Returns evenly spaced days, ending with the last point. */
function axisDates(points: readonly Point[]): string[] {
  const step = Math.ceil(points.length / MAX_AXIS_DATES);
  return points.filter((_, index) => (points.length - 1 - index) % step === 0).map(({ first }) => first);
}

export interface ChartProps {
  /** accessible name */
  label: string;
  series: readonly Series[];
  points: readonly Point[];
}

/** Position of a marker, as the chart library provides it. */
interface MarkerPosition {
  cx?: number | undefined;
  /** null for a point that the line does not have */
  cy?: number | null | undefined;
  index?: number | undefined;
}

/** Returns what renders the markers of a line. */
function markersOf(series: Series, size: number) {
  return ({ cx, cy, index }: MarkerPosition) =>
    typeof cx === "number" && typeof cy === "number" ? (
      <Marker key={index} x={cx} y={cy} series={series} size={size} />
    ) : (
      <g key={index} />
    );
}

function TooltipRow({ series, value, previous }: { series: Series; value: number | undefined; previous: boolean }) {
  const { name, format = formatNumber } = series;
  return (
    <div>
      <SeriesSwatch series={series} previous={previous} />
      <span>{name}</span>
      <strong>{format(value ?? 0)}</strong>
    </div>
  );
}

/** Shows the values at a point, selected by pointer, touch or arrow keys. Of plain elements, because each move of the selection renders them. */
function TooltipContent({ point, series }: { point: Point; series: readonly Series[] }) {
  const { previous } = point;
  return (
    <div className="chart-tooltip">
      <strong>{markPartial(formatDayRange(point), point)}</strong>
      {series.map((one) => (
        <TooltipRow key={one.metric} series={one} value={point[one.metric]} previous={false} />
      ))}
      {previous && (
        <>
          <p>{markPartial(formatDayRange(previous), previous)} (previous period)</p>
          {series.map((one) => (
            <TooltipRow key={one.metric} series={one} value={previous[one.metric]} previous />
          ))}
        </>
      )}
    </div>
  );
}

/** Renders lines over time. `LazyChart` loads this module on demand, because the chart library is large. */
export default function Chart({ label, series, points }: ChartProps) {
  const byDay = new Map(points.map((point) => [point.first, point]));
  const axis = { stroke: "var(--p-color-border)", tick: { fill: "var(--p-color-text-secondary)", fontSize: 12 } };
  const isCompared = points.some(({ previous }) => previous !== undefined);
  // The line to the partial point is dotted, so the others end at the point before it.
  const beforePartial = points.at(-2);
  const formatAxis = series[0]?.formatAxis ?? formatNumber;
  return (
    <ResponsiveContainer width="100%" height={CHART_HEIGHT}>
      <LineChart data={[...points]} title={label} margin={{ top: 8, right: 12, bottom: 0, left: 0 }}>
        <CartesianGrid vertical={false} stroke="var(--p-color-border-secondary)" />
        <XAxis
          dataKey="first"
          ticks={axisDates(points)}
          tickFormatter={formatCalendarDay}
          minTickGap={16}
          tickLine={false}
          {...axis}
        />
        <YAxis
          width="auto"
          allowDecimals={false}
          tickLine={false}
          tickFormatter={(value: number) => formatAxis(value)}
          {...axis}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: "var(--p-color-border)" }}
          content={({ active, label: day }) => {
            const point = active ? byDay.get(String(day)) : undefined;
            return <div role="status">{point && <TooltipContent point={point} series={series} />}</div>;
          }}
        />
        {isCompared &&
          series.map(({ metric, name, stroke }) => (
            <Line
              key={`previous ${metric}`}
              dataKey={({ previous }: Point) => previous?.[metric]}
              name={`${name} (previous period)`}
              stroke={PREVIOUS_COLOR}
              strokeWidth={1.5}
              strokeDasharray={DASHES[stroke]}
              dot={false}
              activeDot={false}
              isAnimationActive={false}
            />
          ))}
        {series.map((one) => (
          <Line
            key={`partial ${one.metric}`}
            dataKey={(point: Point) => (point.isPartial || point === beforePartial ? point[one.metric] : undefined)}
            name={`${one.name} (so far)`}
            stroke={CURRENT_COLOR}
            strokeWidth={2}
            strokeDasharray={PARTIAL_DASHES}
            strokeLinecap="round"
            dot={points.length > MAX_MARKED_POINTS ? false : markersOf(one, 5)}
            activeDot={markersOf(one, 8)}
            isAnimationActive={false}
          />
        ))}
        {series.map((one) => (
          <Line
            key={one.metric}
            dataKey={(point: Point) => (point.isPartial && points.length > 1 ? undefined : point[one.metric])}
            name={one.name}
            stroke={CURRENT_COLOR}
            strokeWidth={2}
            strokeDasharray={DASHES[one.stroke]}
            dot={points.length > MAX_MARKED_POINTS ? false : markersOf(one, 5)}
            activeDot={markersOf(one, 8)}
            isAnimationActive={false}
          />
        ))}
      </LineChart>
    </ResponsiveContainer>
  );
}
