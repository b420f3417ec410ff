import { toAppSchema, type FromApp, type ToApp } from "./messages.ts";

/** Returns the admin's origin: the production one for a script from the production CDN, otherwise the script's own. */
function adminOrigin(): string {
  const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : location.href;
  const { origin } = new URL(script);
  return origin === "https://cdn.shopify.com" ? "https://admin.shopify.com" : origin;
}

export interface Channel {
  adminOrigin: string;
  send: (message: FromApp) => void;
  /**
   * Sends a state unless it is the last one sent: the admin re-renders on every message, which would replace a button while
   * it is pressed.
   */
  sendChange: (message: FromApp) => void;
  /** Sends a message with an id. @returns the value of the response */
  request: (message: (id: number) => FromApp) => Promise<unknown>;
  on: <T extends ToApp["type"]>(type: T, act: (message: Extract<ToApp, { type: T }>) => void) => void;
}

/** Opens the channel to the admin around this frame. Must be called while the script first runs. */
export function openChannel(): Channel {
  const origin = adminOrigin();
  const pending = new Map<number, { resolve: (value: unknown) => void; reject: (reason: Error) => void }>();
  const listeners: ((message: ToApp) => void)[] = [];
  const latest = new Map<FromApp["type"], string>();
  let requests = 0;

  const channel: Channel = {
    adminOrigin: origin,
    send(message) {
      if (window.parent !== window) window.parent.postMessage(message, origin);
    },
    sendChange(message) {
      const state = JSON.stringify(message);
      if (latest.get(message.type) === state) return;
      latest.set(message.type, state);
      channel.send(message);
    },
    request(message) {
      const id = ++requests;
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject });
        channel.send(message(id));
      });
    },
    on(type, act) {
      listeners.push((message) => {
        if (isOf(message, type)) act(message);
      });
    },
  };

  addEventListener("message", (event: MessageEvent<unknown>) => {
    if (event.source !== window.parent || event.origin !== origin) return;
    const parsed = toAppSchema.safeParse(event.data);
    if (parsed.success) for (const listen of listeners) listen(parsed.data);
  });
  channel.on("result", ({ id, value }) => {
    pending.get(id)?.resolve(value);
    pending.delete(id);
  });
  channel.on("fail", ({ id, message }) => {
    pending.get(id)?.reject(new Error(message));
    pending.delete(id);
  });
  return channel;
}

function isOf<T extends ToApp["type"]>(message: ToApp, type: T): message is Extract<ToApp, { type: T }> {
  return message.type === type;
}
