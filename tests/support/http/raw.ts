import { connect } from "node:net";
import type { ReceivedResponse } from "../app/failure.ts";

function bytes(part: string | Uint8Array): Uint8Array {
  return typeof part === "string" ? Buffer.from(part) : part;
}

function dechunk(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const lineEnd = body.indexOf("\r\n", at);
    const size = Number.parseInt(body.toString("latin1", at, lineEnd), 16);
    if (!(size > 0)) break;
    parts.push(body.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return Buffer.concat(parts);
}

function parse(received: Buffer): ReceivedResponse {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) throw new Error(`no HTTP answer: ${JSON.stringify(received.toString("latin1"))}`);
  const [statusLine = "", ...lines] = received.toString("latin1", 0, end).split("\r\n");
  const status = Number(statusLine.split(" ")[1]);
  const body = received.subarray(end + 4);
  // An interim response (100 Continue) precedes the final one.
  if (status < 200) return parse(body);
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const chunked = headers.get("transfer-encoding") === "chunked";
  return { status, headers, text: (chunked ? dechunk(body) : body).toString("utf8") };
}

/**
 * Sends raw bytes over a new connection and reads until the server closes it. The request must ask for that with
 * `Connection: close` unless the server closes by itself.
 * @param parts a `null` at the end half-closes the connection
 */
export function sendRaw(base: string, ...parts: (string | Uint8Array | null)[]): Promise<ReceivedResponse> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    let trouble: Error | undefined;
    const socket = connect(Number(port), hostname);
    socket.on("data", (data) => received.push(data));
    // The server may have responded and closed during the write.
    socket.on("error", (error) => {
      trouble = error;
    });
    socket.on("close", () => {
      try {
        resolve(parse(Buffer.concat(received)));
      } catch (error) {
        reject(trouble ?? (error as Error));
      }
    });
    socket.write(Buffer.concat(parts.map((part) => bytes(part ?? ""))));
    if (parts.includes(null)) socket.end();
  });
}

/**
 * Returns a request as text with `target` and headers unchanged, and a Content-Length when there is a body without other
 * framing.
 */
export function rawRequest(
  method: string,
  target: string,
  options: { token?: string; headers?: Record<string, string>; body?: string | Uint8Array } = {},
): Buffer {
  const { token, body } = options;
  const headers: Record<string, string> = {
    Host: "wishlist.test",
    Connection: "close",
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    ...(body === undefined || options.headers?.["Transfer-Encoding"] !== undefined
      ? {}
      : { "Content-Length": String(Buffer.byteLength(body)) }),
    ...options.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1"),
    bytes(body ?? ""),
  ]);
}

/** Returns one chunk of a chunked body; an empty text ends the body. */
export function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}
