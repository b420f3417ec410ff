import { BEFORE_COLOUR, DASHES, NOW_COLOUR, type Line } from "./lines.ts";

/** How a line looks, beside its name. */
export function LineSample({ line, before }: { line: Line; before: boolean }) {
  const colour = before ? BEFORE_COLOUR : NOW_COLOUR;
  return (
    <svg width="28" height="10" aria-hidden="true" style={{ flex: "none" }}>
      <line x1="0" y1="5" x2="28" y2="5" stroke={colour} strokeWidth="2" strokeDasharray={DASHES[line.stroke]} />
      {!before && <Marker x={14} y={5} line={line} />}
    </svg>
  );
}

/** The point of a line: round on a solid one, square on a dashed one. */
export function Marker({ x, y, line, size = 6 }: { x: number; y: number; line: Line; size?: number }) {
  const shared = { fill: "var(--p-color-bg-surface)", stroke: NOW_COLOUR, strokeWidth: 2 };
  if (line.stroke === "solid") return <circle cx={x} cy={y} r={size / 2} {...shared} />;
  return <rect x={x - size / 2} y={y - size / 2} width={size} height={size} {...shared} />;
}
