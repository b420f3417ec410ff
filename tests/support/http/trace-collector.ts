import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { portOf } from "./ports.ts";

const attributeSchema = z.object({
  key: z.string(),
  value: z.object({
    stringValue: z.string().optional(),
    intValue: z.union([z.number(), z.string()]).optional(),
    boolValue: z.boolean().optional(),
  }),
});

const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z
    .array(attributeSchema)
    .transform((all) =>
      Object.fromEntries(all.map(({ key, value: v }) => [key, v.stringValue ?? v.intValue ?? v.boolValue])),
    ),
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
});

export type CollectedSpan = z.output<typeof spanSchema>;

const bodySchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attributeSchema) }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
});

/** A collector of traces: an OTLP/HTTP receiver on this machine. */
export interface TraceCollector {
  /** for OTEL_EXPORTER_OTLP_ENDPOINT */
  url: string;
  spans: readonly CollectedSpan[];
  /** attributes of the resource in the last request */
  resource: () => Record<string, unknown>;
  /** everything received, as text */
  received: () => string;
  /** Does not respond to further requests. */
  hold: () => void;
  close: () => Promise<void>;
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  let resource: Record<string, unknown> = {};
  let received = "";
  let isHeld = false;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received += body;
      const { resourceSpans } = bodySchema.parse(JSON.parse(body));
      for (const one of resourceSpans) {
        resource = Object.fromEntries(one.resource.attributes.map(({ key, value }) => [key, value.stringValue]));
        for (const scope of one.scopeSpans) spans.push(...scope.spans);
      }
      if (isHeld) return;
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    spans,
    resource: () => resource,
    received: () => received,
    hold: () => {
      isHeld = true;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
