import { html } from "hono/html";
import type { Addresses } from "../foundation/addresses.ts";
import { readBlocks, settingsOf, type Block } from "../store/theme-extension.ts";
import type { Store } from "../store/store.ts";
import { adminPage, type Html } from "./layout.ts";

const EDITOR = "/admin/themes/current/editor";

type Setting = Block["schema"]["settings"][number];

/** Returns the block that a deep link (`{api key}/{block}`) adds or activates. */
function linkedBlock(store: Store, search: URLSearchParams): string | undefined {
  const link = search.get("addAppBlockId") ?? search.get("activateAppId") ?? "";
  const [apiKey, handle] = link.split("/");
  return apiKey === store.options.apiKey ? handle : undefined;
}

function control({ id, type, options }: Setting, value: string): Html {
  if (options !== undefined) {
    return html`<select name="${id}">
      ${options.map((option) => html`<option value="${option.value}" ${option.value === value ? "selected" : ""}>${option.label}</option>`)}
    </select>`;
  }
  // A browser's colour input cannot be empty: it would save black instead of the theme's own colour.
  if (type === "color") {
    return html`<input
      name="${id}"
      value="${value}"
      pattern="#[0-9a-fA-F]{6}"
      placeholder="#1f1f1f"
      title="As #1f1f1f"
    />`;
  }
  return html`<input
    type="${type === "range" || type === "number" ? "number" : "text"}"
    name="${id}"
    value="${value}"
  />`;
}

function field(setting: Setting, value: unknown): Html {
  const { id, type, label = "", info = "", content = "" } = setting;
  const hint = info === "" ? "" : html`<span class="soft">${info}</span>`;
  if (type === "header") {
    return html`<h3>${content}</h3>
      <p>${hint}</p>`;
  }
  if (id === undefined) return html`<p class="soft">${content}</p>`;
  if (type === "checkbox") {
    return html`<label class="field"
      ><span class="row"><input type="checkbox" name="${id}" ${value === true ? "checked" : ""} /> ${label}</span
      >${hint}</label
    >`;
  }
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  return html`<label class="field">${label}${control(setting, text)}${hint}</label>`;
}

/** Renders a theme editor for the blocks of the app: switches and settings. */
export async function themeEditor(store: Store, addresses: Addresses, search: URLSearchParams): Promise<Response> {
  const blocks = readBlocks(store.options.extension);
  const linked = linkedBlock(store, search);
  const main = html`<main class="page">
    <h1>Theme editor</h1>
    ${linked !== undefined && !blocks.some(({ handle }) => handle === linked) ? html`<p class="bad">The link refers to an unknown block: ${linked}</p>` : ""}
    ${blocks.length === 0 ? html`<div class="card">There is no theme extension in ${store.options.extension}.</div>` : ""}
    ${blocks.map((block) => {
      const settings = settingsOf(store, block);
      return html`<form class="card" method="post" action="${EDITOR}">
        <input type="hidden" name="__block" value="${block.handle}" />
        <h2>
          ${block.schema.name} ${block.handle === linked ? html`<span class="soft">(from the app's link)</span>` : ""}
        </h2>
        <p class="soft">
          ${block.schema.target === "section" ? "App block" : "App embed"}, blocks/${block.handle}.liquid
        </p>
        <label class="field"
          ><span class="row"
            ><input
              type="checkbox"
              name="__on"
              ${store.blockPlacements.isOn(block.handle) || block.handle === linked ? "checked" : ""}
            />
            Shown in the theme</span
          ></label
        >
        ${block.schema.settings.map((setting) => field(setting, setting.id === undefined ? undefined : settings[setting.id]))}
        <p><button class="primary">Save</button></p>
      </form>`;
    })}
    <a class="button" href="${addresses.storefront}/">View storefront</a>
    <a class="button" href="${addresses.storefront}/?design_mode">View as in the editor</a>
  </main>`;
  return adminPage(store, addresses.storefront, "Theme editor", main);
}

export async function saveBlock(store: Store, request: Request): Promise<Response> {
  const form = await request.formData();
  const block = readBlocks(store.options.extension).find(({ handle }) => handle === form.get("__block"));
  if (block === undefined) return new Response("Unknown block", { status: 404 });
  const settings: Record<string, unknown> = {};
  for (const { id, type } of block.schema.settings) {
    if (id === undefined) continue;
    const value = form.get(id);
    if (type === "checkbox") settings[id] = value !== null;
    else if (typeof value === "string") settings[id] = type === "range" || type === "number" ? Number(value) : value;
  }
  store.blockPlacements.switch(block.handle, form.has("__on"));
  store.blockPlacements.configure(block.handle, settings);
  store.pageCache.pages.clear();
  return new Response(null, { status: 303, headers: { location: EDITOR } });
}
