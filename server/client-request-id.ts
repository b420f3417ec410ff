/** Characters of the ids that callers and proxies generate: UUID, ULID, hexadecimal, base64. None of them ends a header or a line of a log. */
const WELL_FORMED = /^[\w.:+/=~-]{1,128}$/;

/** Returns the id that the caller has given the request in `X-Request-Id`; undefined when there is none or it is malformed. */
export function clientRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" && WELL_FORMED.test(header) ? header : undefined;
}

/** Returns the response with the caller's id of the request. `X-Request-Id` stays our own, which is unique. */
export function withClientRequestId(response: Response, id: string | undefined): Response {
  if (id === undefined) return response;
  const echoed = new Response(response.body, response);
  echoed.headers.set("X-Client-Request-Id", id);
  return echoed;
}
