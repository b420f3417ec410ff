import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A response as received from the socket. */
export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** An HTTP/1.1 connection that stays open until the server closes it, so that tests observe each request. */
export interface Connection {
  /** Writes raw bytes. */
  write: (bytes: string) => void;
  /** Resolves with the next complete response; undefined when the server has closed the connection before one. */
  readResponse: () => Promise<RawResponse | undefined>;
  /** Resolves when the server has closed the connection. */
  closed: Promise<void>;
  destroy: () => void;
}

export interface RawRequest {
  method: string;
  path: string;
  token?: string;
  /** sent as JSON */
  json?: unknown;
}

/** Returns the text of a complete request. */
export function requestText({ method, path, token, json }: RawRequest): string {
  const body = json === undefined ? "" : JSON.stringify(json);
  const headers = [
    "Host: localhost",
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...(json === undefined ? [] : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return `${method} ${path} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n${body}`;
}

/**
 * Parses a complete response at the start of `received`.
 * @returns the response and its length; responses here are ASCII
 */
function parse(received: string): { response: RawResponse; length: number } | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [statusLine = "", ...lines] = received.slice(0, end).split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const length = Number(headers["content-length"] ?? 0);
  const body = received.slice(end + 4, end + 4 + length);
  if (body.length < length) return undefined;
  return { response: { status: Number(statusLine.split(" ")[1]), headers, body }, length: end + 4 + length };
}

/** Opens a connection to a server. @throws when nothing listens there */
export async function openConnection(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.setEncoding("latin1").setNoDelay(true);
  let received = "";
  let ended = false;
  let wake = (): void => undefined;
  socket.on("data", (text: string) => {
    received += text;
    wake();
  });
  // A reset counts as an end: a lost response is reported as missing.
  socket.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => {
    socket.on("close", () => {
      ended = true;
      wake();
      resolve();
    });
  });

  return {
    write: (bytes) => void socket.write(bytes),
    async readResponse() {
      for (;;) {
        const found = parse(received);
        if (found) {
          received = received.slice(found.length);
          return found.response;
        }
        if (ended) {
          if (received !== "")
            throw new Error(`the server closed the connection in the middle of a response: ${received}`);
          return undefined;
        }
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    closed,
    destroy: () => void socket.destroy(),
  };
}
