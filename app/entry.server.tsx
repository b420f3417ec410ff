import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import type { ActionFunctionArgs, EntryContext, LoaderFunctionArgs } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToPipeableStream } from "react-dom/server";
import { compressResponse } from "./http/compression.server.ts";
import { adminPolicy, newNonce, PAGE_HEADERS, plainPolicy } from "./http/admin/page-headers.server.ts";
import { Nonce } from "./nonce.ts";
import { addDocumentResponseHeaders } from "./shopify.server.ts";
import { service } from "./service.server.ts";

export { service } from "./service.server.ts";

/** Renders a page as a whole. Its data for the browser comes out of React's stream only, after the page itself. */
function render(remixContext: EntryContext, url: string, nonce: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(
      <Nonce.Provider value={nonce}>
        <RemixServer context={remixContext} url={url} nonce={nonce} />
      </Nonce.Provider>,
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

/** Is it a page that Shopify's admin shows in its frame? */
function isOfAdmin(url: string): boolean {
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
  const policy = isOfAdmin(request.url) ? adminPolicy(nonce, given) : plainPolicy({ framed: false });
  responseHeaders.set("Content-Security-Policy", policy);
  const response = new Response(html, { headers: responseHeaders, status: responseStatusCode });
  return isCompressible(request) ? compressResponse(request, response) : response;
}

/**
 * May an answer of the admin be compressed? What is read may: it holds no secret. The answer to a form can show one (a key's or a webhook's),
 * beside what was sent, so that its length could tell of the secret.
 */
function isCompressible(request: Request): boolean {
  return request.method === "GET";
}

/** Completes what a page's scripts fetch. */
export function handleDataRequest(
  response: Response,
  { request }: LoaderFunctionArgs | ActionFunctionArgs,
): Response | Promise<Response> {
  return isCompressible(request) ? compressResponse(request, response) : response;
}

/**
 * What Remix does with an error of a page. By itself it writes to standard error, and when there is no page for a path or method it
 * quotes the path, which may hold a share token. That line adds nothing to the request's own in the log.
 */
export function handleError(error: unknown, { request, context }: LoaderFunctionArgs | ActionFunctionArgs): void {
  if (isRouteErrorResponse(error) || request.signal.aborted) return;
  service.log.error({ err: error, requestId: context.http.requestId }, "a page failed");
}
