import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import type { ActionFunctionArgs, EntryContext, LoaderFunctionArgs } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToPipeableStream } from "react-dom/server";
import { addDocumentResponseHeaders } from "./shopify.server.ts";
import { service } from "./service.server.ts";

export { service } from "./service.server.ts";

/** A page as a whole. Its data for the browser comes out of React's stream only, after the page itself. */
function render(remixContext: EntryContext, url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(<RemixServer context={remixContext} url={url} />, {
      onAllReady() {
        text(pipe(new PassThrough())).then(resolve, reject);
      },
      onShellError: reject,
    });
  });
}

export default async function handleRequest(
  request: Request,
  responseStatusCode: number,
  responseHeaders: Headers,
  remixContext: EntryContext,
): Promise<Response> {
  const html = await render(remixContext, request.url);
  addDocumentResponseHeaders(request, responseHeaders);
  responseHeaders.set("Content-Type", "text/html; charset=utf-8");
  return new Response("<!DOCTYPE html>" + html, { headers: responseHeaders, status: responseStatusCode });
}

/**
 * What Remix does with an error of a page. By itself it writes to standard error, and when there is no page for a path or method it
 * quotes the path, which may hold a share token. That line adds nothing to the request's own in the log.
 */
export function handleError(error: unknown, { request, context }: LoaderFunctionArgs | ActionFunctionArgs): void {
  if (isRouteErrorResponse(error) || request.signal.aborted) return;
  service.log.error({ err: error, requestId: context.http.requestId }, "a page failed");
}
