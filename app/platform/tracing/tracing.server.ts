import { env } from "../process/env.server.ts";
import { onShutdown } from "../process/lifecycle.server.ts";
import { log } from "../log/log.server.ts";
import { counter } from "../metrics/metrics.server.ts";
import { currentSpan, withinSpan, type Span, type SpanOptions, type Tracer } from "./context.server.ts";

// OpenTelemetry traces. Without OTEL_EXPORTER_OTLP_ENDPOINT nothing of OpenTelemetry is loaded, and `tracer` stays undefined.

/** Milliseconds that a shutdown waits for the last spans. */
const CLOSE_MS = 2_000;

let tracer: Tracer | undefined;

const droppedSpans = counter(
  "trace_spans_dropped_total",
  "Spans that did not reach the collector: more were finished than the queue holds, or their export failed",
  { reason: ["queue_full", "export_failed"] },
);

/** Returns whether spans are created. Hot paths check it before they describe a span. */
export function isTracing(): boolean {
  return tracer !== undefined;
}

/** Starts tracing when the environment names a collector. */
export async function startTracing(): Promise<void> {
  const { tracing, maxWaitingSpans } = env();
  if (!tracing) return;
  const { openTelemetryTracer } = await import("./opentelemetry.server.ts");
  const opened = openTelemetryTracer(maxWaitingSpans, {
    onFailure: (reason) => log.warn({ reason }, "traces can't be exported; spans are dropped until they can"),
    onRecovery: () => log.info({}, "traces are exported again"),
    onDropped: (spans, reason) => {
      droppedSpans.inc({ reason }, spans);
    },
  });
  tracer = opened;
  onShutdown("traces", async () => {
    tracer = undefined;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_MS)));
    // An unreachable collector must not delay the shutdown.
    await Promise.race([opened.close(), timeout]).finally(() => clearTimeout(timer));
  });
}

/** Starts a span that the caller ends. @returns undefined without tracing */
export function startSpan(name: string, options: SpanOptions = {}): Span | undefined {
  return tracer?.start(name, options, currentSpan());
}

/** Runs work in a span, which ends with it. Without tracing it only runs the work. */
export async function traced<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  const span = startSpan(name, options);
  if (!span) return work(undefined);
  try {
    const result = await withinSpan(span, () => work(span), { isRoot: options.parent !== undefined });
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}
