import { BlockStack, InlineStack, Text } from "@shopify/polaris";
import { Component, lazy, Suspense, useCallback, useEffect, useState, type ReactNode } from "react";
import type { ChartProps } from "./chart.client.tsx";
import { LineSample } from "./line-sample.tsx";
import { CHART_HEIGHT } from "./lines.ts";

const Chart = lazy(() => import("./chart.client.tsx"));

/** Charts that are to be drawn. Each takes a while, so a press comes in between. */
const waiting: (() => void)[] = [];

function next(): void {
  waiting[0]?.();
}

/** Is it this chart's turn to be drawn? `done` lets the next one begin. */
function useTurn(): { turn: boolean; done: () => void } {
  const [turn, setTurn] = useState(false);
  const [begin] = useState(() => () => setTurn(true));
  const done = useCallback(() => {
    const place = waiting.indexOf(begin);
    if (place === -1) return;
    waiting.splice(place, 1);
    if (place === 0) setTimeout(next);
  }, [begin]);
  useEffect(() => {
    waiting.push(begin);
    if (waiting.length === 1) begin();
    return done;
  }, [begin, done]);
  return { turn, done };
}

/** Tells that what is in it has been drawn. */
function Drawn({ onDrawn, children }: { onDrawn: () => void; children: ReactNode }) {
  useEffect(() => {
    const frame = requestAnimationFrame(onDrawn);
    return () => cancelAnimationFrame(frame);
  }, [onDrawn]);
  return children;
}

/** The library may not come; the table beside the chart says the same. */
class WithoutChart extends Component<{ children: ReactNode; onFailed: () => void }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(): void {
    this.props.onFailed();
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <Text as="p" tone="subdued">
        The chart couldn't be loaded. The table shows the same numbers.
      </Text>
    );
  }
}

/** A chart in the room that is kept for it until it has come: in a browser alone, and after the page. */
export function LazyChart(props: ChartProps) {
  const { turn, done } = useTurn();
  const room = (
    <div
      style={{ height: CHART_HEIGHT, borderRadius: 8, background: "var(--p-color-bg-surface-secondary)" }}
      aria-busy="true"
    />
  );
  const { label, lines, points } = props;
  const compared = points.some(({ before }) => before !== undefined);
  return (
    <BlockStack gap="200">
      <Text as="h3" variant="headingSm">
        {label}
      </Text>
      <InlineStack gap="400">
        {lines.map((line) => (
          <LegendEntry key={line.of} sample={<LineSample line={line} before={false} />} name={line.name} />
        ))}
        {compared &&
          lines.map((line) => (
            <LegendEntry
              key={line.of}
              sample={<LineSample line={line} before />}
              name={lines.length === 1 ? "Previous period" : `${line.name} (previous period)`}
            />
          ))}
      </InlineStack>
      <div style={{ minHeight: CHART_HEIGHT }}>
        <WithoutChart onFailed={done}>
          {/* React minds a boundary that changes while it still takes over the server's page, so there is none until then. */}
          {turn ? (
            <Suspense fallback={room}>
              <Drawn onDrawn={done}>
                <Chart {...props} />
              </Drawn>
            </Suspense>
          ) : (
            room
          )}
        </WithoutChart>
      </div>
    </BlockStack>
  );
}

function LegendEntry({ sample, name }: { sample: ReactNode; name: string }) {
  return (
    <InlineStack gap="200" blockAlign="center" wrap={false}>
      {sample}
      <Text as="span" tone="subdued" variant="bodySm">
        {name}
      </Text>
    </InlineStack>
  );
}
