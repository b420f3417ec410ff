import { BlockStack, InlineStack, Text } from "@shopify/polaris";
import { Component, lazy, memo, Suspense, useCallback, useEffect, useState, type ReactNode } from "react";
import type { ChartProps } from "./chart.client.tsx";
import { PartialSwatch, SeriesSwatch } from "./series-swatch.tsx";
import { CHART_HEIGHT } from "./chart-series.ts";

const Chart = lazy(() => import("./chart.client.tsx"));

/** Charts that wait to render. Rendering one at a time lets the browser handle input in between. */
const renderQueue: (() => void)[] = [];

function renderNext(): void {
  renderQueue[0]?.();
}

/** Queues a chart. Call `done` after it rendered, so that the next one starts. */
function useRenderQueue(): { ready: boolean; done: () => void } {
  const [ready, setReady] = useState(false);
  const [start] = useState(() => () => setReady(true));
  const done = useCallback(() => {
    const index = renderQueue.indexOf(start);
    if (index === -1) return;
    renderQueue.splice(index, 1);
    if (index === 0) setTimeout(renderNext);
  }, [start]);
  useEffect(() => {
    renderQueue.push(start);
    if (renderQueue.length === 1) start();
    return done;
  }, [start, done]);
  return { ready, done };
}

/** Calls `onPaint` when its children are about to be painted. */
function PaintObserver({ onPaint, children }: { onPaint: () => void; children: ReactNode }) {
  useEffect(() => {
    const frame = requestAnimationFrame(onPaint);
    return () => cancelAnimationFrame(frame);
  }, [onPaint]);
  return children;
}

/** Replaces a chart whose library failed to load. */
class ChartErrorBoundary extends Component<{ children: ReactNode; onError: () => void }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(): void {
    this.props.onError();
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

/**
 * Renders a chart in the browser only, after the rest of the page. A placeholder reserves its height.
 * Memoized, because a chart takes 50 ms to render.
 */
export const LazyChart = memo(function LazyChart(props: ChartProps) {
  const { ready, done } = useRenderQueue();
  const placeholder = (
    <div
      style={{ height: CHART_HEIGHT, borderRadius: 8, background: "var(--p-color-bg-surface-secondary)" }}
      aria-busy="true"
    />
  );
  const { label, series, points } = props;
  const isCompared = points.some(({ previous }) => previous !== undefined);
  const last = points.at(-1);
  return (
    <BlockStack gap="200">
      <Text as="h3" variant="headingSm">
        {label}
      </Text>
      <InlineStack gap="400">
        {series.map((one) => (
          <LegendEntry key={one.metric} sample={<SeriesSwatch series={one} previous={false} />} name={one.name} />
        ))}
        {last?.isPartial === true && (
          <LegendEntry
            sample={<PartialSwatch />}
            name={last.first === last.last ? "Today, so far" : "Week with today, so far"}
          />
        )}
        {isCompared &&
          series.map((one) => (
            <LegendEntry
              key={one.metric}
              sample={<SeriesSwatch series={one} previous />}
              name={series.length === 1 ? "Previous period" : `${one.name} (previous period)`}
            />
          ))}
      </InlineStack>
      <div style={{ minHeight: CHART_HEIGHT }}>
        <ChartErrorBoundary onError={done}>
          {/* React reports an error when a Suspense boundary changes during hydration, so it renders only afterwards. */}
          {ready ? (
            <Suspense fallback={placeholder}>
              <PaintObserver onPaint={done}>
                <Chart {...props} />
              </PaintObserver>
            </Suspense>
          ) : (
            placeholder
          )}
        </ChartErrorBoundary>
      </div>
    </BlockStack>
  );
});

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
