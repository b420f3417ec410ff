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
  /** Set once Shopify's signature has shown that the request comes through its app proxy, which replaces responses other than 2xx by pages of its own. */
  throughAppProxy?: true;
  /** Set by the handler, for the log and the metrics. `status` is that of a failure whose response has another one. */
  logged: { route?: string; shop?: string; key?: string; code?: string; status?: number };
}

declare module "@remix-run/node" {
  interface AppLoadContext {
    http: RequestContext;
  }
}
