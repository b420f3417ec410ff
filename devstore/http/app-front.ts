import type { Options } from "../options.ts";
import { forward, passableHeaders, toResponse } from "./forward.ts";
import type { Arrival } from "./visit.ts";

/** Answers that may hold addresses. */
const TEXT = /^(?:text\/|application\/(?:json|javascript|manifest\+json))/;

/** What carries an address in an answer's head. */
const ADDRESSED = [
  "location",
  "content-security-policy",
  "link",
  "x-remix-redirect",
  "x-shopify-api-request-failure-reauthorize-url",
];

/**
 * Stands before the app as its host's proxy does in production. The app believes to be at its public address; a browser
 * that knows it under another one gets all addresses translated, and the app the browser's.
 */
export async function appFront(options: Options, request: Request, arrival: Arrival): Promise<Response> {
  const { translation } = arrival;
  const url = new URL(request.url);
  const headers = passableHeaders(request.headers);
  headers.set("host", new URL(options.appUrl).host);
  headers.set("x-forwarded-proto", "https");
  for (const name of ["origin", "referer"]) {
    const value = headers.get(name);
    if (value !== null) headers.set(name, translation.toProduction(value));
  }
  const target = options.appAddress + url.pathname + translation.toProduction(url.search);
  try {
    const body = Buffer.from(await request.arrayBuffer());
    const answer = await forward(target, { method: request.method, headers, body });
    for (const name of ADDRESSED) {
      const value = answer.headers.get(name);
      if (value !== null) answer.headers.set(name, translation.toLocal(value));
    }
    if (TEXT.test(answer.headers.get("content-type") ?? "") && request.method !== "HEAD") {
      answer.body = Buffer.from(translation.toLocal(answer.body.toString()));
    }
    return toResponse(answer);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "no answer";
    return new Response(`The app does not answer at ${options.appAddress}: ${reason}\n`, { status: 502 });
  }
}
