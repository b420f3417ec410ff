import { createParser } from "eventsource-parser";

/** A server-sent event, or a part of the stream without data: a comment, or the time before the next connection. */
export interface ServerSentEvent {
  id?: string | undefined;
  type?: string | undefined;
  data?: string;
  /** milliseconds */
  retry?: number;
  comment?: string;
}

/** A stream of server-sent events, read as it arrives. */
export interface EventStream {
  /** Resolves with the next event that has data. @throws when the stream ends first */
  next: () => Promise<ServerSentEvent>;
  /** Resolves with the next events that have data. */
  take: (count: number) => Promise<ServerSentEvent[]>;
  /** Resolves when the stream has ended, with the parts without data that came before. */
  end: () => Promise<ServerSentEvent[]>;
  /** everything that has arrived */
  received: ServerSentEvent[];
  /** the last id that has arrived, also without data */
  lastId: () => string | undefined;
  /** Reads what arrives next. */
  readMore: () => Promise<void>;
  cancel: () => Promise<void>;
}

/** Reads the events of a response. */
export function eventStream(response: Response): EventStream {
  const type = response.headers.get("content-type");
  if (!response.body || type?.startsWith("text/event-stream") !== true) throw new Error(`no events: ${String(type)}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const received: ServerSentEvent[] = [];
  let lastId: string | undefined;
  const parser = createParser({
    onEvent: ({ id, event, data }) => received.push({ id, type: event, data }),
    onComment: (comment) => received.push({ comment }),
    onRetry: (retry) => received.push({ retry }),
    onId: (id) => (lastId = id),
    onError: (error) => {
      throw error;
    },
  });
  let index = 0;

  async function more(): Promise<boolean> {
    const { done, value } = await reader.read();
    if (done) return false;
    parser.feed(value);
    return true;
  }

  async function next(): Promise<ServerSentEvent> {
    for (;;) {
      const event = received[index++];
      if (event?.data !== undefined) return event;
      if (event) continue;
      index--;
      if (!(await more())) throw new Error("the stream ended");
    }
  }

  return {
    next,
    async take(count) {
      const events: ServerSentEvent[] = [];
      while (events.length < count) events.push(await next());
      return events;
    },
    async end() {
      while (await more());
      return received.slice(index);
    },
    received,
    lastId: () => lastId,
    readMore: async () => {
      await more();
    },
    cancel: () => reader.cancel(),
  };
}
