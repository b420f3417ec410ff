// A webhook receiver for benches. It records the delay of each webhook by path: GET returns the delays, DELETE deletes them. Requests to a
// path that ends with "/hang" get no response until the DELETE.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** Milliseconds from the payload's timestamp to the arrival. */
const delays = new Map<string, number[]>();
const hanging = new Set<ServerResponse>();

function timestampOf(payload: unknown): number {
  return typeof payload === "object" &&
    payload !== null &&
    "timestamp" in payload &&
    typeof payload.timestamp === "string"
    ? Date.parse(payload.timestamp)
    : NaN;
}

/** Returns the timestamps of a batch's events, or of the only event. */
function timestampsOf(body: string): number[] {
  const payload: unknown = JSON.parse(body);
  const events = typeof payload === "object" && payload !== null && "events" in payload ? payload.events : undefined;
  return Array.isArray(events) ? events.map(timestampOf) : [timestampOf(payload)];
}

function receive(request: IncomingMessage, response: ServerResponse): void {
  const { url = "" } = request;
  const pieces: Buffer[] = [];
  request.on("data", (piece: Buffer) => pieces.push(piece));
  request.on("end", () => {
    const arrived = timestampsOf(Buffer.concat(pieces).toString()).map((timestamp) => Date.now() - timestamp);
    const ofPath = delays.get(url);
    if (ofPath) ofPath.push(...arrived);
    else delays.set(url, arrived);
    if (url.endsWith("/hang")) hanging.add(response);
    else response.writeHead(204).end();
  });
}

function sendDelays(response: ServerResponse): void {
  response
    .writeHead(200, { "Content-Type": "application/json" })
    .end(JSON.stringify({ delays: Object.fromEntries(delays) }));
}

function reset(response: ServerResponse): void {
  delays.clear();
  for (const response of hanging) response.destroy();
  hanging.clear();
  response.writeHead(204).end();
}

createServer((request, response) => {
  if (request.method === "POST") receive(request, response);
  else if (request.method === "DELETE") reset(response);
  else sendDelays(response);
}).listen(Number(process.env["PORT"]), "127.0.0.1");
process.on("SIGTERM", () => process.exit(0));
