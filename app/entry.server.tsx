import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import type { ActionFunctionArgs, EntryContext, LoaderFunctionArgs } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToPipeableStream } from "react-dom/server";
import { compressResponse } from "./http/compression.server.ts";
import { adminPolicy, newNonce, PAGE_HEADERS, staticPagePolicy } from "./http/admin/page-headers.server.ts";
import { NonceContext } from "./nonce.ts";
import { addDocumentResponseHeaders } from "./shopify.server.ts";
import { service } from "./service.server.ts";

export { service } from "./service.server.ts";

/** Renders a page completely. The loader data that Remix streams to the browser appears at the end of React's stream. */
function render(remixContext: EntryContext, url: string, nonce: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(
      <NonceContext.Provider value={nonce}>
        <RemixServer context={remixContext} url={url} nonce={nonce} />
      </NonceContext.Provider>,
      {
        nonce,
        onAllReady() {
          text(pipe(new PassThrough())).then(resolve, reject);
        },
        onShellError: reject,
      },
    );
  });
}

/** Returns whether Shopify's admin shows the page in its iframe. */
function isAdminPage(url: string): boolean {
  return /^\/app(?:\/|$)/.test(new URL(url).pathname);
}

export default async function handleRequest(
  request: Request,
  responseStatusCode: number,
  responseHeaders: Headers,
  remixContext: EntryContext,
): Promise<Response> {
  const nonce = newNonce();
  const html = await render(remixContext, request.url, nonce);
  addDocumentResponseHeaders(request, responseHeaders);
  for (const [name, value] of Object.entries(PAGE_HEADERS)) responseHeaders.set(name, value);
  const given = responseHeaders.get("Content-Security-Policy");
  const policy = isAdminPage(request.url) ? adminPolicy(nonce, given) : staticPagePolicy({ framed: false });
  responseHeaders.set("Content-Security-Policy", policy);
  const response = new Response(html, { headers: responseHeaders, status: responseStatusCode });
  return isCompressible(request) ? compressResponse(request, response) : response;
}

/**
 * Returns whether a response of the admin may be compressed. The response to a form can contain a secret beside submitted values, so that its
 * compressed length could reveal the secret (BREACH).
 */
function isCompressible(request: Request): boolean {
  return request.method === "GET";
}

/** Compresses loader data that a page's scripts fetch. */
export function handleDataRequest(
  response: Response,
  { request }: LoaderFunctionArgs | ActionFunctionArgs,
): Response | Promise<Response> {
  return isCompressible(request) ? compressResponse(request, response) : response;
}

/**
 * Logs an error of a page. Remix's default writes to standard error and quotes unknown paths, which can contain a share token; the request's
 * own log line covers those.
 */
export function handleError(error: unknown, { request, context }: LoaderFunctionArgs | ActionFunctionArgs): void {
  if (isRouteErrorResponse(error) || request.signal.aborted) return;
  service.log.error({ err: error, requestId: context.http.requestId }, "page failed");
}
