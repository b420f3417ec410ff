import { endpoint, noBody, noParameters } from "../../../http/endpoint.server.ts";
import type { EndpointTable, EndpointResource } from "../../../http/resource.server.ts";
import type { OpenApiDocument } from "../../../http/v1/openapi/document.ts";
import { documentTag } from "../../../http/v1/openapi/entity-tag.ts";
import { openapiDocument } from "../../../http/v1/openapi/operations.ts";
import { unmetered } from "../../../http/v1/policies.server.ts";
import { EVENT_DESCRIPTIONS } from "../../../webhooks/index.server.ts";
import { guide } from "./guide.ts";
import { docsPage } from "./page.ts";

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

export function documentOf(resources: readonly EndpointResource[]): OpenApiDocument {
  return openapiDocument(resources, EVENT_DESCRIPTIONS, guide);
}

/** Returns the endpoints that describe the API. @param resources returns those of the whole API, these endpoints' own included */
export function documentation(resources: () => readonly EndpointResource[]): EndpointTable {
  /** The serialized document, created at the first request. */
  let published: { json: string; tag: string } | undefined;

  function publish(): { json: string; tag: string } {
    const json = JSON.stringify(documentOf(resources()));
    return { json, tag: documentTag(json) };
  }

  const getOpenapi = endpoint({
    operationId: "getOpenapi",
    sdkMethod: "docs.openapi",
    tag: "Documentation",
    summary: "This document",
    description: "The OpenAPI 3.1 document of the API, for code generators, clients and tests.",
    access: unmetered,
    compressed: true,
    params: noParameters,
    query: noParameters,
    body: noBody,
    data: "application/json",
    handle({ knownTags }) {
      published ??= publish();
      const { json, tag } = published;
      const headers = { ETag: tag, "Cache-Control": "public, max-age=300" };
      return knownTags.includes(tag) || knownTags.includes("*")
        ? { notModified: true, headers }
        : { document: json, type: "application/json; charset=utf-8", headers };
    },
  });

  const getDocs = endpoint({
    operationId: "getDocs",
    sdkMethod: "docs.page",
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
      const { files } = await import("./files.ts");
      return {
        document: docsPage(documentOf(resources()), files),
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

  return { "GET /v1/openapi.json": getOpenapi, "GET /v1/docs": getDocs };
}
