/** What the front knows of a request and hands to the routes (Remix's load context). */
export interface RequestContext {
  requestId: string;
  /** the caller's address, seen through the trusted proxies */
  clientAddress: string;
  /** path and query as they were sent: `request.url` has been normalised, which would let one path pass for another */
  target: string;
  /** filled in by whoever answers, for the request's line in the log */
  logged: { route?: string; shop?: string; key?: string; code?: string };
}

declare module "@remix-run/node" {
  interface AppLoadContext {
    http: RequestContext;
  }
}
