/**
 * Tells whether a request has a body, for operations that read none. The server does not expose the body of GET and HEAD, so a
 * `Transfer-Encoding` counts as a body there.
 */
export async function hasBody(request: Request): Promise<boolean> {
  const length = request.headers.get("content-length");
  if (length !== null) return Number(length) > 0;
  if (!request.headers.has("transfer-encoding")) return false;
  if (!request.body) return request.method === "GET" || request.method === "HEAD";
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (part.value.byteLength > 0) return true;
    }
    return false;
  } finally {
    reader.releaseLock();
  }
}
