import { AsyncLocalStorage } from "node:async_hooks";

/** A value of a span. Never a secret, a customer, or a value of a statement. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A span in progress. */
export interface Span {
  readonly traceId: string;
  /** W3C `traceparent` of the span; undefined when the sampler left it out */
  readonly traceparent: string | undefined;
  set: (attributes: Attributes) => void;
  rename: (name: string) => void;
  link: (traceparent: string) => void;
  /** @param error marks the span as failed: a type, or an error, whose message is not recorded because it may contain values */
  end: (error?: unknown) => void;
}

export interface SpanOptions {
  kind?: "internal" | "server" | "client";
  attributes?: Attributes;
  /** by default the current span; null begins a trace; a `traceparent` continues another process's trace */
  parent?: string | null | undefined;
  /** `traceparent` of related traces */
  links?: readonly string[];
  /** milliseconds since 1970, if the span began earlier */
  startedAt?: number;
}

export interface Tracer {
  start: (name: string, options: SpanOptions, parent: Span | undefined) => Span;
  /** Sends the remaining spans. */
  close: () => Promise<void>;
}

interface Context {
  span: Span;
  /** the first span of this process in the trace, such as the request */
  root: Span;
}

const current = new AsyncLocalStorage<Context | undefined>();

/** Returns the span in which the current work runs. */
export function currentSpan(): Span | undefined {
  return current.getStore()?.span;
}

/** Returns the request, job or batch to which the current work belongs. */
export function rootSpan(): Span | undefined {
  return current.getStore()?.root;
}

/** Runs work that outlives the current span and starts traces itself, such as the wake-up of a worker. */
export function outsideSpans<Result>(work: () => Result): Result {
  return current.getStore() === undefined ? work() : current.run(undefined, work);
}

/** Runs work in a span. */
export function withinSpan<Result>(span: Span, work: () => Result, { isRoot = false } = {}): Result {
  return current.run({ span, root: isRoot ? span : (rootSpan() ?? span) }, work);
}
