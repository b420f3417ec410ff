import type { ShopifyGlobal } from "@shopify/app-bridge-types";
import { z } from "zod";
import type { Config } from "./config.ts";
import { modalApi } from "./modal.ts";
import type { SaveBars } from "./save-bar.ts";
import { scopesApi } from "./scopes.ts";
import type { Wire } from "./wire.ts";

/** What of App Bridge there is here; its types are Shopify's own. */
type Global = Pick<
  ShopifyGlobal,
  "config" | "origin" | "ready" | "environment" | "loading" | "toast" | "modal" | "saveBar" | "scopes"
> & {
  idToken: () => Promise<string>;
  user: () => Promise<unknown>;
  resourcePicker: (options: unknown) => Promise<unknown>;
  app: { extensions: () => Promise<unknown> };
};

const pickerSchema = z.object({
  type: z.literal("product", { error: "the devstore's resource picker knows products only" }),
  query: z.string().default(""),
  multiple: z.union([z.boolean(), z.number()]).default(false),
  selectionIds: z.array(z.object({ id: z.string() })).default([]),
});
const picked = z.array(z.looseObject({ id: z.string() })).optional();

const TOAST_MS = 5_000;

function toastApi(wire: Wire): ShopifyGlobal["toast"] {
  const handlers = new Map<string, { action: (() => void) | undefined; dismiss: (() => void) | undefined }>();
  let shown = 0;
  wire.on("toastAction", ({ id }) => handlers.get(id)?.action?.());
  wire.on("toastGone", ({ id }) => {
    handlers.get(id)?.dismiss?.();
    handlers.delete(id);
  });
  return {
    show(message, { duration = TOAST_MS, isError = false, action = "", onAction, onDismiss } = {}) {
      const id = `toast-${++shown}`;
      handlers.set(id, { action: onAction, dismiss: onDismiss });
      wire.send({ type: "toast", id, message, error: isError, action, duration });
      return id;
    },
    hide: (id) => wire.send({ type: "hideToast", id }),
  };
}

export function createGlobal(wire: Wire, config: Config, { define: _define, ...saveBar }: SaveBars): Global {
  const call = (name: "idToken" | "extensions" | "user" | "scopes") => wire.ask((id) => ({ type: "call", id, name }));
  return {
    config: { apiKey: config.apiKey, shop: config.shop, host: config.host, locale: config.locale },
    origin: wire.adminOrigin,
    ready: Promise.resolve(),
    environment: { mobile: false, embedded: window.parent !== window, pos: false, intent: false },
    loading: (on = true) => wire.send({ type: "loading", on }),
    toast: toastApi(wire),
    modal: modalApi,
    saveBar,
    idToken: async () => z.string().parse(await call("idToken")),
    user: async () => call("user"),
    scopes: scopesApi(wire),
    async resourcePicker(options) {
      const { query, multiple, selectionIds } = pickerSchema.parse(options);
      const answer = await wire.ask((id) => ({
        type: "pick",
        id,
        query,
        multiple: multiple !== false && multiple !== 1,
        selected: selectionIds.map((one) => one.id),
      }));
      const products = picked.parse(answer);
      // As in App Bridge: an array that has itself under another name.
      return products && Object.assign(products, { selection: products });
    },
    app: { extensions: async () => call("extensions") },
  };
}
