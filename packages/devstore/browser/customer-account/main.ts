// Shows a customer account UI extension: it runs in a worker inside a sandboxed frame, and its elements appear in this page.
import { DOMRemoteReceiver } from "@remote-dom/core/receivers";
import { ThreadMessagePort } from "@quilted/threads";
import { defineElements, NAVIGATE } from "./elements.ts";
import { currentEntry, follow, updateState } from "./navigation.ts";
import { ATTRIBUTES, COMPONENTS } from "./vocabulary.ts";
import type { ExtensionSetup, HostFunctions, NavigationType, WorkerFunctions } from "./vocabulary.ts";

interface Setup extends ExtensionSetup {
  script: string;
  worker: string;
}

/** Runs inside the frame, whose origin is opaque, and starts the worker from the code that the page sends. */
const FRAME = `<script>addEventListener("message", ({ data, ports }) => {
  const worker = new Worker(URL.createObjectURL(new Blob([data], { type: "text/javascript" })));
  worker.addEventListener("error", (event) => console.error(event.message));
  worker.postMessage(null, [...ports]);
});</script>`;

function showToast(text: string): void {
  const toast = document.getElementById("toast");
  if (!toast) return;
  const shown = document.createElement("span");
  shown.textContent = text;
  toast.replaceChildren(shown);
  setTimeout(() => shown.remove(), 5_000);
}

async function sessionToken(): Promise<string> {
  const response = await fetch("/account/session-token", { method: "POST" });
  const { token } = (await response.json()) as { token?: string };
  if (token === undefined) throw new Error("The customer is not logged in.");
  return token;
}

async function codeOf({ worker, script }: Setup): Promise<string> {
  const texts = await Promise.all([worker, script].map(async (url) => (await fetch(url)).text()));
  return texts.join("\n");
}

async function show(container: Element, setup: Setup): Promise<void> {
  const policy = ({ properties, booleans = [], events = [], methods = [] }: (typeof COMPONENTS)[string]) => ({
    properties: Object.fromEntries([...properties, ...booleans].map((name) => [name, {}])),
    attributes: ATTRIBUTES,
    events: Object.fromEntries(events.map((name) => [name, {}])),
    methods,
  });
  const { connection } = new DOMRemoteReceiver({
    root: container,
    elements: Object.fromEntries(Object.entries(COMPONENTS).map(([tag, component]) => [tag, policy(component)])),
  });
  const { port1, port2 } = new MessageChannel();
  const exports: HostFunctions = {
    setup: async () => ({ ...setup, entry: currentEntry() }),
    mutate: async (records) => connection.mutate(records as Parameters<typeof connection.mutate>[0]),
    call: async (id, method, args) => connection.call(id, method, ...(args as unknown[])),
    sessionToken,
    toast: async (text) => showToast(text),
    hideToast: async () => document.getElementById("toast")?.replaceChildren(),
    navigate: async (url, mode, state) => reportNavigation(follow(url, mode, state)),
    updateState: async (state) => updateState(state),
    readStorage: async (key) => localStorage.getItem(`extension:${key}`),
    async writeStorage(key, json) {
      if (json === null) localStorage.removeItem(`extension:${key}`);
      else localStorage.setItem(`extension:${key}`, json);
    },
  };
  const { imports: worker } = new ThreadMessagePort<WorkerFunctions, HostFunctions>(port1, { exports });
  port1.start();
  const reportNavigation = (type: NavigationType | undefined): void => {
    if (type) void worker.navigated(currentEntry(), type);
  };
  container.addEventListener(NAVIGATE, (event) => {
    if (event instanceof CustomEvent) reportNavigation(follow(String(event.detail)));
  });
  addEventListener("popstate", () => reportNavigation("traverse"));

  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.srcdoc = FRAME;
  frame.title = "Extension";
  frame.hidden = true;
  const [code] = await Promise.all([
    codeOf(setup),
    new Promise((resolve) => {
      frame.addEventListener("load", resolve);
      document.body.append(frame);
    }),
  ]);
  frame.contentWindow?.postMessage(code, "*", [port2]);
}

defineElements();
const container = document.getElementById("extension");
const setup = JSON.parse(document.getElementById("setup")?.textContent ?? "null") as Setup | null;
if (container && setup) void show(container, setup);
