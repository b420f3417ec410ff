import { CURRENT_COLOR, DASHES, PARTIAL_DASHES, PREVIOUS_COLOR, type Series } from "./chart-series.ts";

/** Shows a line's style beside its name. @param previous the line of the previous period */
export function SeriesSwatch({ series, previous }: { series: Series; previous: boolean }) {
  const color = previous ? PREVIOUS_COLOR : CURRENT_COLOR;
  return (
    <svg width="28" height="10" aria-hidden="true" style={{ flex: "none" }}>
      <line x1="0" y1="5" x2="28" y2="5" stroke={color} strokeWidth="2" strokeDasharray={DASHES[series.stroke]} />
      {!previous && <Marker x={14} y={5} series={series} />}
    </svg>
  );
}

/** Shows the style of the line to today's number. */
export function PartialSwatch() {
  return (
    <svg width="28" height="10" aria-hidden="true" style={{ flex: "none" }}>
      <line
        x1="2"
        y1="5"
        x2="28"
        y2="5"
        stroke={CURRENT_COLOR}
        strokeWidth="2"
        strokeLinecap="round"
        strokeDasharray={PARTIAL_DASHES}
      />
    </svg>
  );
}

/** Renders a point of a line: round on a solid line, square on a dashed one. */
export function Marker({ x, y, series, size = 6 }: { x: number; y: number; series: Series; size?: number }) {
  const shared = { fill: "var(--p-color-bg-surface)", stroke: CURRENT_COLOR, strokeWidth: 2 };
  if (series.stroke === "solid") return <circle cx={x} cy={y} r={size / 2} {...shared} />;
  return <rect x={x - size / 2} y={y - size / 2} width={size} height={size} {...shared} />;
}
