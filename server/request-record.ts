import type { AppLoadContext } from "@remix-run/node";
import { HEALTH, type RequestHead, type Service } from "./admission.ts";
import { clientRequestId } from "./client-request-id.ts";

/** What is recorded of a request: its line in the log, its span and its part of the metrics. */
export interface RequestRecord {
  requestId: string;
  /** the id that the caller has given the request */
  givenId: string | undefined;
  logged: AppLoadContext["http"]["logged"];
  timing: AppLoadContext["http"]["timing"];
  /** Runs work within the request's span, if it has one. */
  within: (work: () => Promise<Response>) => Promise<Response>;
  /** Writes everything down. @param routed the pattern of the request's route, unless the route names one itself */
  finish: (sent: number, options: { aborted: boolean }, routed: () => string | undefined) => void;
}

/** Begins the record of a request that has arrived. */
export function beginRecord(service: Service, head: RequestHead): RequestRecord {
  const started = performance.now();
  const requestId = service.requestId();
  const givenId = clientRequestId(head.headers["x-request-id"]);
  const logged: RequestRecord["logged"] = {};
  const timing: RequestRecord["timing"] = {};
  const traced = HEALTH.has(head.target)
    ? undefined
    : service.startRequestSpan(head.method, requestId, head.headers.traceparent);
  service.countArrival();
  return {
    requestId,
    givenId,
    logged,
    timing,
    within: (work) => (traced ? service.withinSpan(traced, work, { isRoot: true }) : work()),
    finish(sent, { aborted }, routed) {
      const status = logged.status ?? sent;
      const exactMs = performance.now() - started;
      const ms = Math.round(exactMs * 10) / 10;
      const traceId = traced?.traceparent === undefined ? undefined : traced.traceId;
      const ids = { requestId, clientRequestId: givenId, traceId };
      service.log.info(
        { ...ids, method: head.method, ...logged, status, ms, ...(aborted ? { aborted } : {}) },
        "request",
      );
      if (traced) service.endRequestSpan(traced, head.method, { ...logged, status, aborted });
      const { streamingSince } = timing;
      // A stream is open for as long as its client wants, so that its length says nothing about the service.
      const counted =
        streamingSince === undefined ? { ms: exactMs, aborted } : { ms: streamingSince - started, aborted: false };
      service.countRequest({ route: logged.route ?? routed(), method: head.method, status, ...counted });
    },
  };
}
