import { PARTIAL_DASHES } from "../analytics/chart-series.ts";

const WIDTH = 600;
const HEIGHT = 64;
/** Half the line's width, so that its peak is not clipped. */
const PADDING = 2;

const LINE = { fill: "none", stroke: "var(--p-color-bg-fill-info)", strokeWidth: 2, strokeLinejoin: "round" } as const;

/** Renders a trend as a line without axes. The way to the last value is dotted, because its day is not over. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const max = Math.max(...values, 1);
  const points = values.map((value, index) => {
    const x = (index / Math.max(values.length - 1, 1)) * WIDTH;
    const y = HEIGHT - PADDING - (value / max) * (HEIGHT - 2 * PADDING);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      style={{ display: "block", width: "100%", height: HEIGHT }}
    >
      <polygon
        points={`0,${HEIGHT} ${points.join(" ")} ${WIDTH},${HEIGHT}`}
        style={{ fill: "var(--p-color-bg-surface-info)" }}
      />
      <polyline points={points.slice(0, -1).join(" ")} vectorEffect="non-scaling-stroke" style={LINE} />
      <polyline
        points={points.slice(-2).join(" ")}
        vectorEffect="non-scaling-stroke"
        style={{ ...LINE, strokeDasharray: PARTIAL_DASHES, strokeLinecap: "round" }}
      />
    </svg>
  );
}
