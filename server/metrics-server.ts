import { createServer, type Server, type ServerResponse } from "node:http";
import type { AppBuild } from "./build.ts";

/** Creates the server of METRICS_PORT, which serves the metrics to everyone who reaches it and nothing else. */
export function createMetricsServer(currentBuild: () => AppBuild): Server {
  return createServer({ requestTimeout: 10_000 }, ({ method, url = "" }, outgoing) => {
    const { service } = currentBuild().entry.module;
    if (url.split("?", 1)[0] !== service.METRICS_PATH || (method !== "GET" && method !== "HEAD")) {
      send(outgoing, 404, `Metrics are at ${service.METRICS_PATH}.\n`);
      return;
    }
    service.scrape().then(
      (text) => {
        send(outgoing, 200, text, service.METRICS_TYPE);
      },
      (error: unknown) => {
        service.log.error({ err: error }, "metrics could not be collected");
        send(outgoing, 500, "The metrics could not be collected. The log says why.\n");
      },
    );
  });
}

function send(outgoing: ServerResponse, status: number, text: string, type = "text/plain; charset=utf-8"): void {
  outgoing.writeHead(status, {
    "Content-Type": type,
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
  });
  outgoing.end(text);
}
