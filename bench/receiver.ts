// What webhooks of a bench are sent to: it keeps how late they come, by path. GET tells and DELETE forgets. Whatever is sent to a path that
// ends with "/hang" gets no answer until then.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** Milliseconds from the payload's timestamp to the arrival. */
const delays = new Map<string, number[]>();
const unanswered = new Set<ServerResponse>();

function timestampOf(body: string): number {
  const payload: unknown = JSON.parse(body);
  return typeof payload === "object" &&
    payload !== null &&
    "timestamp" in payload &&
    typeof payload.timestamp === "string"
    ? Date.parse(payload.timestamp)
    : NaN;
}

function receive(request: IncomingMessage, response: ServerResponse): void {
  const { url = "" } = request;
  const pieces: Buffer[] = [];
  request.on("data", (piece: Buffer) => pieces.push(piece));
  request.on("end", () => {
    const late = Date.now() - timestampOf(Buffer.concat(pieces).toString());
    const ofPath = delays.get(url);
    if (ofPath) ofPath.push(late);
    else delays.set(url, [late]);
    if (url.endsWith("/hang")) unanswered.add(response);
    else response.writeHead(204).end();
  });
}

function tell(response: ServerResponse): void {
  response
    .writeHead(200, { "Content-Type": "application/json" })
    .end(JSON.stringify({ delays: Object.fromEntries(delays) }));
}

function forget(response: ServerResponse): void {
  delays.clear();
  for (const held of unanswered) held.destroy();
  unanswered.clear();
  response.writeHead(204).end();
}

createServer((request, response) => {
  if (request.method === "POST") receive(request, response);
  else if (request.method === "DELETE") forget(response);
  else tell(response);
}).listen(Number(process.env["PORT"]), "127.0.0.1");
process.on("SIGTERM", () => process.exit(0));
