import type { ShopifyGlobal } from "@shopify/app-bridge-types";
import { z } from "zod";
import type { Config } from "./config.ts";
import { modalApi } from "./modal.ts";
import type { SaveBars } from "./save-bar.ts";
import { scopesApi } from "./scopes.ts";
import type { Channel } from "./channel.ts";

/** The implemented part of App Bridge, with Shopify's own types. */
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
  type: z.literal("product", { error: "the devstore's resource picker supports only products" }),
  query: z.string().default(""),
  multiple: z.union([z.boolean(), z.number()]).default(false),
  selectionIds: z.array(z.object({ id: z.string() })).default([]),
});
const picked = z.array(z.looseObject({ id: z.string() })).optional();

const TOAST_MS = 5_000;

function toastApi(channel: Channel): ShopifyGlobal["toast"] {
  const handlers = new Map<string, { action: (() => void) | undefined; dismiss: (() => void) | undefined }>();
  let shown = 0;
  channel.on("toastAction", ({ id }) => handlers.get(id)?.action?.());
  channel.on("toastGone", ({ id }) => {
    handlers.get(id)?.dismiss?.();
    handlers.delete(id);
  });
  return {
    show(message, { duration = TOAST_MS, isError = false, action = "", onAction, onDismiss } = {}) {
      const id = `toast-${++shown}`;
      handlers.set(id, { action: onAction, dismiss: onDismiss });
      channel.send({ type: "toast", id, message, error: isError, action, duration });
      return id;
    },
    hide: (id) => channel.send({ type: "hideToast", id }),
  };
}

export function createGlobal(channel: Channel, config: Config, { define: _define, ...saveBar }: SaveBars): Global {
  const call = (name: "idToken" | "extensions" | "user" | "scopes") =>
    channel.request((id) => ({ type: "call", id, name }));
  return {
    config: { apiKey: config.apiKey, shop: config.shop, host: config.host, locale: config.locale },
    origin: channel.adminOrigin,
    ready: Promise.resolve(),
    environment: { mobile: false, embedded: window.parent !== window, pos: false, intent: false },
    loading: (on = true) => channel.send({ type: "loading", on }),
    toast: toastApi(channel),
    modal: modalApi,
    saveBar,
    idToken: async () => z.string().parse(await call("idToken")),
    user: async () => call("user"),
    scopes: scopesApi(channel),
    async resourcePicker(options) {
      const { query, multiple, selectionIds } = pickerSchema.parse(options);
      const response = await channel.request((id) => ({
        type: "pick",
        id,
        query,
        multiple: multiple !== false && multiple !== 1,
        selected: selectionIds.map((one) => one.id),
      }));
      const products = picked.parse(response);
      // As in App Bridge, the array also has itself as `selection`.
      return products && Object.assign(products, { selection: products });
    },
    app: { extensions: async () => call("extensions") },
  };
}
