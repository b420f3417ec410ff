/** Data of a request that the HTTP server passes to the routes (Remix's load context). */
export interface RequestContext {
  requestId: string;
  /** the caller's address, as reported by the trusted proxies */
  clientAddress: string;
  /** path and query as they were sent; `request.url` is normalised, so different paths can look the same in it */
  target: string;
  timing: {
    /** set by the handler of a response that goes on: when it began, in monotonic milliseconds */
    streamingSince?: number;
  };
  /** set by the handler, for the request's line in the log */
  logged: { route?: string; shop?: string; key?: string; code?: string };
}

declare module "@remix-run/node" {
  interface AppLoadContext {
    http: RequestContext;
  }
}
