import {
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type SpanContext,
  type Span as OpenTelemetrySpan,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
} from "@opentelemetry/sdk-trace-node";
import type { Attributes, Span, SpanOptions, Tracer } from "./context.server.ts";

// The only module that imports OpenTelemetry. The SDK reads the sampler, the limits, and the exporter's address, headers and time-out from the
// standard environment variables.

const KINDS = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT };
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const SUCCESS = 0;

function parse(traceparent: string): SpanContext | undefined {
  const [, traceId = "", spanId = "", flags = ""] = TRACEPARENT.exec(traceparent) ?? [];
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
  return isSpanContextValid(context) ? context : undefined;
}

function toText({ traceId, spanId, traceFlags }: SpanContext): string | undefined {
  return (traceFlags & TraceFlags.SAMPLED) === 0 ? undefined : `00-${traceId}-${spanId}-01`;
}

/** A span that remembers the SDK's context for its children. */
class RecordedSpan implements Span {
  readonly context: SpanContext;
  readonly traceparent: string | undefined;
  readonly #span: OpenTelemetrySpan;

  constructor(span: OpenTelemetrySpan) {
    this.#span = span;
    this.context = span.spanContext();
    this.traceparent = toText(this.context);
  }

  get traceId(): string {
    return this.context.traceId;
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes({ ...attributes });
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  link(traceparent: string): void {
    const context = parse(traceparent);
    if (context) this.#span.addLink({ context });
  }

  end(error?: unknown): void {
    if (error !== undefined) {
      const type = error instanceof Error ? error.name : typeof error === "string" ? error : "error";
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
      this.#span.setAttribute("error.type", type);
    }
    this.#span.end();
  }
}

/** What happens to spans on their way to the collector. */
interface ExportEvents {
  /** the first failed export of an outage */
  onFailure: (reason: string) => void;
  onRecovery: () => void;
  onDropped: (spans: number, reason: "queue_full" | "export_failed") => void;
}

/** Passes finished spans on in batches. Counts those that do not fit into its queue, which the SDK would drop silently. */
class CountingProcessor extends BatchSpanProcessor {
  readonly #limit: number;
  readonly #onDropped: ExportEvents["onDropped"];
  #waiting = 0;

  constructor(exporter: SpanExporter, limit: number, events: ExportEvents) {
    super(
      watched(exporter, events, (spans) => {
        this.#waiting -= spans;
      }),
      { maxQueueSize: limit },
    );
    this.#limit = limit;
    this.#onDropped = events.onDropped;
  }

  override onEnd(span: ReadableSpan): void {
    if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return;
    if (this.#waiting >= this.#limit) {
      this.#onDropped(1, "queue_full");
      return;
    }
    this.#waiting++;
    super.onEnd(span);
  }
}

/** Reports exports. @param onTaken called when spans leave the queue */
function watched(
  exporter: SpanExporter,
  { onFailure, onRecovery, onDropped }: ExportEvents,
  onTaken: (spans: number) => void,
): SpanExporter {
  let failing = false;
  return {
    export(spans, done) {
      onTaken(spans.length);
      exporter.export(spans, (result) => {
        const code: number = result.code;
        const failed = code !== SUCCESS;
        // The message of an error can contain the response of the collector, so only its name is logged.
        if (failed) onDropped(spans.length, "export_failed");
        if (failed && !failing) onFailure(result.error?.name ?? "unknown");
        if (!failed && failing) onRecovery();
        failing = failed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

/** Loads the SDK with the settings of the environment. */
export function openTelemetryTracer(maxWaitingSpans: number, events: ExportEvents): Tracer {
  const service = resourceFromAttributes({ "service.name": "wishlist-headless" });
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(service)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new CountingProcessor(new OTLPTraceExporter(), maxWaitingSpans, events)],
  });
  const tracer = provider.getTracer("wishlist-headless");

  function start(name: string, options: SpanOptions, current: Span | undefined): Span {
    const { kind = "internal", attributes = {}, parent, links = [], startedAt } = options;
    const above =
      parent === undefined
        ? current instanceof RecordedSpan
          ? current.context
          : undefined
        : parent === null
          ? undefined
          : parse(parent);
    const linked = links.flatMap((one) => parse(one) ?? []).map((context) => ({ context }));
    const span = tracer.startSpan(
      name,
      { kind: KINDS[kind], attributes: { ...attributes }, links: linked, ...(startedAt && { startTime: startedAt }) },
      above ? trace.setSpanContext(ROOT_CONTEXT, above) : ROOT_CONTEXT,
    );
    return new RecordedSpan(span);
  }

  return { start, close: () => provider.shutdown() };
}
