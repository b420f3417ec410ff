import { forwardableHeaders, toResponse, type AppClient } from "../foundation/app-client.ts";
import type { RequestContext } from "../foundation/request-context.ts";

/** Responses whose bodies may contain addresses. */
const TEXT = /^(?:text\/|application\/(?:json|javascript|manifest\+json))/;

/** Response headers that may contain addresses. */
const HEADERS_WITH_ADDRESSES = [
  "location",
  "content-security-policy",
  "link",
  "x-remix-redirect",
  "x-shopify-api-request-failure-reauthorize-url",
];

/**
 * Acts as the reverse proxy in front of the app. The app is configured with its public address; for a browser that reaches
 * it under a local one, addresses are translated in both directions.
 */
export async function appFront(
  app: AppClient,
  appUrl: string,
  request: Request,
  { translation }: RequestContext,
): Promise<Response> {
  const url = new URL(request.url);
  const headers = forwardableHeaders(request.headers);
  headers.set("host", new URL(appUrl).host);
  headers.set("x-forwarded-proto", "https");
  for (const name of ["origin", "referer"]) {
    const value = headers.get(name);
    if (value !== null) headers.set(name, translation.toProduction(value));
  }
  try {
    const body = Buffer.from(await request.arrayBuffer());
    const response = await app.send(url.pathname + translation.toProduction(url.search), {
      method: request.method,
      headers,
      body,
      signal: AbortSignal.timeout(30_000),
    });
    for (const name of HEADERS_WITH_ADDRESSES) {
      const value = response.headers.get(name);
      if (value !== null) response.headers.set(name, translation.toLocal(value));
    }
    if (TEXT.test(response.headers.get("content-type") ?? "") && request.method !== "HEAD") {
      response.body = Buffer.from(translation.toLocal(response.body.toString()));
    }
    return toResponse(response);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "no response";
    return new Response(`The app does not respond at ${app.address}: ${reason}\n`, { status: 502 });
  }
}
