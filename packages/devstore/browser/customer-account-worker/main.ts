// Runs a customer account UI extension in a worker without a DOM: the extension's elements are sent to the page.
import "@remote-dom/core/polyfill";
import { BatchingRemoteConnection, createRemoteElement, RemoteRootElement } from "@remote-dom/core/elements";
import { ThreadMessagePort } from "@quilted/threads";
import {
  ATTRIBUTES,
  COMPONENTS,
  type ExtensionSetup,
  type FieldState,
  type HistoryEntry,
  type HostFunctions,
  type NavigationType,
  type WorkerFunctions,
} from "../customer-account/vocabulary.ts";
import { translator } from "./translator.ts";

for (const [tag, { properties, booleans = [], events = [], methods = [] }] of Object.entries(COMPONENTS)) {
  const Remote = createRemoteElement({
    attributes: [...ATTRIBUTES],
    properties: {
      ...Object.fromEntries(properties.map((name) => [name, { type: String }])),
      ...Object.fromEntries(booleans.map((name) => [name, { type: Boolean }])),
    },
    events: Object.fromEntries(
      events.map((name) => [
        name,
        {
          dispatchEvent(this: Element, state: FieldState | undefined) {
            // A handler reads the field's new state from its element.
            Object.assign(this, state);
            return new Event(name);
          },
        },
      ]),
    ),
    methods: [...methods],
  });
  // Preact recognizes the event of `onClick` by the element's property `onclick`.
  for (const name of events) Object.defineProperty(Remote.prototype, `on${name}`, { value: null, writable: true });
  customElements.define(tag, Remote);
}
customElements.define("remote-root", RemoteRootElement);

type Target = (api: unknown) => Promise<void> | void;
const targets = new Map<string, Target>();

function fixed<Value>(value: Value) {
  return { value, current: value, subscribe: () => () => undefined };
}

function createApi({ target, locale, texts, customerId }: ExtensionSetup, host: HostFunctions) {
  const format = (options: Intl.NumberFormatOptions) => (value: number | bigint, more?: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(locale, { ...options, ...more }).format(value);
  return {
    extensionPoint: target,
    extension: {
      target,
      apiVersion: "2026-10",
      scriptUrl: "",
      version: undefined,
      capabilities: fixed(["network_access"]),
    },
    version: "2026-10",
    authenticatedAccount: { customer: fixed({ id: customerId }), purchasingCompany: fixed(undefined) },
    localization: {
      language: fixed({ isoCode: locale }),
      extensionLanguage: fixed({ isoCode: locale }),
      country: fixed({ isoCode: "DE" }),
    },
    i18n: {
      translate: translator(texts, locale),
      formatNumber: format({}),
      formatCurrency: format({ style: "currency" }),
      formatDate: (date: Date, options?: Intl.DateTimeFormatOptions) =>
        new Intl.DateTimeFormat(locale, options).format(date),
    },
    sessionToken: { get: () => host.sessionToken() },
    storage: {
      async read(key: string): Promise<unknown> {
        const json = await host.readStorage(key);
        return json === null ? null : JSON.parse(json);
      },
      write: (key: string, data: unknown) => host.writeStorage(key, JSON.stringify(data)),
      delete: (key: string) => host.writeStorage(key, null),
    },
    settings: fixed({}),
    toast: {
      async show(text: string) {
        await host.toast(text);
        return { hide: () => void host.hideToast() };
      },
    },
    query: () => Promise.reject(new Error("The extension does not have the capability api_access.")),
    extend: (name: string, run: Target) => void targets.set(name, run),
  };
}

type Listener = (event: { navigationType: NavigationType; from: ReturnType<typeof toEntry> }) => void;

function toEntry({ key, url, state }: HistoryEntry) {
  return { key, url, getState: (): unknown => structuredClone(state) };
}

/** The global `navigation`, of which an extension that is no full page has `navigate` only. */
class Navigation {
  currentEntry: ReturnType<typeof toEntry> | undefined;
  readonly #listeners = new Set<Listener>();
  readonly #host: HostFunctions;

  constructor(host: HostFunctions) {
    this.#host = host;
  }

  navigate(url: string, { history = "auto", state }: { history?: "auto" | "push" | "replace"; state?: unknown } = {}) {
    void this.#host.navigate(url, history, state);
  }

  updateCurrentEntry({ state }: { state: unknown }): void {
    if (!this.currentEntry) throw new Error("Only full pages have an entry of the history.");
    this.currentEntry = toEntry({ key: this.currentEntry.key, url: this.currentEntry.url, state });
    void this.#host.updateState(state);
  }

  addEventListener(_type: "currententrychange", listener: Listener): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: "currententrychange", listener: Listener): void {
    this.#listeners.delete(listener);
  }

  /** Until API version 2027-01, Shopify gives the new entry as `from`. */
  change(entry: HistoryEntry, navigationType: NavigationType): void {
    this.currentEntry = toEntry(entry);
    for (const listener of this.#listeners) listener({ navigationType, from: this.currentEntry });
  }
}

async function start(port: MessagePort): Promise<void> {
  let page: Navigation | undefined;
  const exports: WorkerFunctions = { navigated: async (entry, type) => page?.change(entry, type) };
  const thread = new ThreadMessagePort<HostFunctions, WorkerFunctions>(port, { exports });
  port.start();
  const host = thread.imports;
  const setup = await host.setup();
  const navigation = new Navigation(host);
  if (setup.target.endsWith(".page.render")) {
    page = navigation;
    navigation.currentEntry = toEntry(setup.entry);
  }
  const root = document.createElement("remote-root");
  if (!(root instanceof RemoteRootElement)) throw new Error("remote-root is not defined");
  Object.defineProperty(document, "body", { value: root, configurable: true });
  root.connect(
    new BatchingRemoteConnection({
      mutate: (records) => void host.mutate(records),
      call: (id, method, ...args: unknown[]) => host.call(id, method, args),
    }),
  );
  const api = createApi(setup, host);
  Object.assign(globalThis, { shopify: api, navigation });
  const run = targets.get(setup.target);
  if (!run) throw new Error(`The extension does not extend ${setup.target}.`);
  await run(api);
}

// The extension's code comes behind this file and registers its target, before the first message arrives.
Object.assign(globalThis, { shopify: { extend: (name: string, run: Target) => void targets.set(name, run) } });
globalThis.addEventListener("message", ({ ports: [port] }: MessageEvent) => {
  if (port) void start(port);
});
