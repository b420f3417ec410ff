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

// The options of App Bridge's types, without collections; unknown ones are refused.
const pickerSchema = z.strictObject({
  type: z.enum(["product", "variant"], { error: "the devstore's resource picker supports only products and variants" }),
  action: z.enum(["add", "select"]).default("add"),
  filter: z
    .strictObject({
      hidden: z.boolean(),
      variants: z.boolean(),
      draft: z.boolean().optional(),
      archived: z.boolean().optional(),
      query: z.string(),
    })
    .partial()
    .optional(),
  query: z.string().default(""),
  multiple: z.union([z.boolean(), z.int().min(1)]).default(false),
  selectionIds: z.array(z.object({ id: z.string().regex(/^gid:\/\/shopify\/Product(?:Variant)?\/\d+$/) })).default([]),
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
      const { type, action, query, multiple, selectionIds } = pickerSchema.parse(options);
      const response = await channel.request((id) => ({
        type: "pick",
        id,
        resource: type,
        action,
        query,
        multiple: multiple !== false && multiple !== 1,
        selected: selectionIds.map((one) => one.id),
      }));
      const chosen = picked.parse(response);
      // As in App Bridge, the array also has itself as `selection`.
      return chosen && Object.assign(chosen, { selection: chosen });
    },
    app: { extensions: async () => call("extensions") },
  };
}
