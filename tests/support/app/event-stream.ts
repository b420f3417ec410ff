/** A server-sent event. */
export interface ServerSentEvent {
  id: string | undefined;
  type: string | undefined;
  data: string | undefined;
  retry: string | undefined;
  comment: string | undefined;
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

function parse(block: string): ServerSentEvent {
  const field = (name: string): string | undefined =>
    block
      .split("\n")
      .findLast((line) => line.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trimStart();
  return { id: field("id"), type: field("event"), data: field("data"), retry: field("retry"), comment: field("") };
}

/** Reads the events of a response. */
export function eventStream(response: Response): EventStream {
  const type = response.headers.get("content-type");
  if (!response.body || type?.startsWith("text/event-stream") !== true) throw new Error(`no events: ${String(type)}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const received: ServerSentEvent[] = [];
  let rest = "";
  let place = 0;

  async function more(): Promise<boolean> {
    const { done, value } = await reader.read();
    if (done) return false;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop() ?? "";
    received.push(...blocks.map(parse));
    return true;
  }

  async function next(): Promise<ServerSentEvent> {
    for (;;) {
      const event = received[place++];
      if (event?.data !== undefined) return event;
      if (event) continue;
      place--;
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
      return received.slice(place);
    },
    received,
    lastId: () => received.findLast(({ id }) => id !== undefined)?.id,
    readMore: async () => {
      await more();
    },
    cancel: () => reader.cancel(),
  };
}
