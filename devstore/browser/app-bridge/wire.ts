import { toAppSchema, type FromApp, type ToApp } from "./messages.ts";

/** The admin's origin: production's when the script came from production's CDN, otherwise where the script came from. */
function adminOrigin(): string {
  const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : location.href;
  const { origin } = new URL(script);
  return origin === "https://cdn.shopify.com" ? "https://admin.shopify.com" : origin;
}

export interface Wire {
  adminOrigin: string;
  send: (message: FromApp) => void;
  /**
   * Says how things are, unless that is what was said last. The admin makes what it shows of it anew, and would take a button away from under
   * the press that has just left a field.
   */
  tell: (message: FromApp) => void;
  ask: (message: (id: number) => FromApp) => Promise<unknown>;
  on: <T extends ToApp["type"]>(type: T, act: (message: Extract<ToApp, { type: T }>) => void) => void;
}

/** To the admin around this frame. Must be called while the script is first run. */
export function openWire(): Wire {
  const origin = adminOrigin();
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (reason: Error) => void }>();
  const listeners: ((message: ToApp) => void)[] = [];
  const told = new Map<FromApp["type"], string>();
  let asked = 0;

  const wire: Wire = {
    adminOrigin: origin,
    send(message) {
      if (window.parent !== window) window.parent.postMessage(message, origin);
    },
    tell(message) {
      const now = JSON.stringify(message);
      if (told.get(message.type) === now) return;
      told.set(message.type, now);
      wire.send(message);
    },
    ask(message) {
      const id = ++asked;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        wire.send(message(id));
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
  wire.on("answer", ({ id, value }) => {
    waiting.get(id)?.resolve(value);
    waiting.delete(id);
  });
  wire.on("fail", ({ id, message }) => {
    waiting.get(id)?.reject(new Error(message));
    waiting.delete(id);
  });
  return wire;
}

function isOf<T extends ToApp["type"]>(message: ToApp, type: T): message is Extract<ToApp, { type: T }> {
  return message.type === type;
}
