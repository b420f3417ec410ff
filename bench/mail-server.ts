// A mail server for benches, which throws messages away. Over HTTP, GET returns when each message arrived by its recipient's address, and
// DELETE deletes these times and sets the milliseconds of `?delay=` that each message takes from now on.
import { createServer as createHttpServer } from "node:http";
import { createServer, type Socket } from "node:net";

const HOST = "127.0.0.1";
const END = "\r\n.\r\n";

/** Times of arrival (`Date.now()`) by address. */
const arrivals = new Map<string, number[]>();
let delayMs = 0;

function arrived(recipient: string): void {
  const times = arrivals.get(recipient);
  if (times) times.push(Date.now());
  else arrivals.set(recipient, [Date.now()]);
}

/** Serves one connection. No client of this server sends a command before it has the last one's response. */
function serve(socket: Socket): void {
  let text = "";
  let recipient: string | undefined;
  let isData = false;
  const respond = (line: string): void => void (socket.destroyed || socket.write(`${line}\r\n`));
  respond(`220 ${HOST} ESMTP`);
  socket.setEncoding("latin1").on("data", (piece: string) => {
    text += piece;
    if (isData) {
      if (!text.endsWith(END)) return;
      isData = false;
      text = "";
      const to = recipient ?? "";
      const accept = (): void => {
        arrived(to);
        respond("250 2.0.0 OK");
      };
      if (delayMs === 0) accept();
      else setTimeout(accept, delayMs);
      return;
    }
    if (!text.endsWith("\r\n")) return;
    const command = text.trim();
    text = "";
    const verb = command.slice(0, 4).toUpperCase();
    if (verb === "RCPT") recipient = /<(.*)>/.exec(command)?.[1];
    isData = verb === "DATA";
    respond(isData ? "354 Send the message" : verb === "QUIT" ? "221 2.0.0 Bye" : "250 2.0.0 OK");
    if (verb === "QUIT") socket.end();
  });
  // A client that goes away is no error.
  socket.on("error", () => undefined);
}

createServer(serve).listen(Number(process.env["SMTP_PORT"]), HOST);
createHttpServer((request, response) => {
  if (request.method === "DELETE") {
    arrivals.clear();
    delayMs = Number(new URL(request.url ?? "/", "http://bench").searchParams.get("delay"));
    response.writeHead(204).end();
  } else response.writeHead(200).end(JSON.stringify({ arrivals: Object.fromEntries(arrivals) }));
}).listen(Number(process.env["PORT"]), HOST);
process.on("SIGTERM", () => process.exit(0));
