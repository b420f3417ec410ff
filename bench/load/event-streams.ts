import { connect, type Socket } from "node:net";

/** Connects at a time, so that no connection waits in the server's queue. */
const CONCURRENT = 100;
const TIMEOUT_MS = 60_000;

/** Open streams of the change feed. */
export interface EventStreams {
  /** Resolves with the monotonic milliseconds at which the stream of a token receives a text. */
  arrival: (index: number, text: string) => Promise<number>;
  close: () => void;
}

interface Stream {
  socket: Socket;
  /** the text that is awaited, and what arrived since */
  awaited: { text: string; seen: string; resolve: (at: number) => void } | undefined;
}

/** Opens a stream for each token. Plain sockets, because thousands of HTTP clients would use the processor of the server under test. */
export async function openStreams(url: string, tokens: readonly string[]): Promise<EventStreams> {
  const { hostname, port, host } = new URL(url);
  const streams: Stream[] = [];

  async function open(token: string): Promise<Stream> {
    const socket = connect(Number(port), hostname);
    const stream: Stream = { socket, awaited: undefined };
    socket.write(`GET /v1/changes/stream HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    await new Promise<void>((resolve, reject) => {
      let head = "";
      const timer = setTimeout(() => {
        reject(new Error("a stream was not opened in time"));
      }, TIMEOUT_MS);
      socket.on("error", reject);
      socket.on("data", function opened(bytes: Buffer) {
        head += bytes.toString("latin1");
        if (!head.includes("retry: ")) return;
        socket.off("data", opened);
        clearTimeout(timer);
        if (head.startsWith("HTTP/1.1 200")) resolve();
        else reject(new Error(`a stream was refused: ${head.slice(0, 200)}`));
      });
    });
    socket.on("data", (bytes: Buffer) => {
      const { awaited } = stream;
      if (!awaited) return;
      awaited.seen += bytes.toString("latin1");
      if (!awaited.seen.includes(awaited.text)) return;
      stream.awaited = undefined;
      awaited.resolve(performance.now());
    });
    return stream;
  }

  for (let from = 0; from < tokens.length; from += CONCURRENT) {
    streams.push(...(await Promise.all(tokens.slice(from, from + CONCURRENT).map(open))));
  }
  return {
    arrival: (index, text) =>
      new Promise((resolve, reject) => {
        const stream = streams[index];
        if (!stream) {
          reject(new Error(`there is no stream ${index}`));
          return;
        }
        stream.awaited = { text, seen: "", resolve };
      }),
    close: () => {
      for (const { socket } of streams) socket.destroy();
    },
  };
}
