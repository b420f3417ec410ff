import { endpoint, noBody, noParameters } from "../../http/endpoint.server.ts";
import { unmetered } from "../../http/v1/policies.server.ts";
import { resource } from "../../http/resource.server.ts";
import { docsPage } from "./page.ts";
import { providedDocument } from "./source.ts";

/** Forbids other hosts, inline scripts and frames. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const getDocs = endpoint({
  method: "GET",
  operationId: "getDocs",
  tag: "Documentation",
  summary: "This documentation as a page",
  description: "Shows the OpenAPI document in a browser, where each operation can be tried.",
  access: unmetered,
  compressed: true,
  params: noParameters,
  query: noParameters,
  body: noBody,
  data: "text/html",
  async handle() {
    // Imported here, because the files exist only in a build, and the document is also created without one.
    const files = await import("./files.ts");
    return {
      document: docsPage(providedDocument(), files),
      type: "text/html; charset=utf-8",
      headers: {
        "Content-Security-Policy": CONTENT_SECURITY_POLICY,
        "Referrer-Policy": "no-referrer",
        "Strict-Transport-Security": "max-age=31536000",
        // A page that is cached over a deployment would request files that no longer exist.
        "Cache-Control": "no-cache",
      },
    };
  },
});

const route = resource("/v1/docs", [getDocs]);

export const loader = route.loader;
export const action = route.action;
