import { fileURLToPath } from "node:url";
import type { Store } from "../store/store.ts";
import { blocksIn, embeds, shownSettings, type Block, type Slot } from "./extension.ts";
import { globalObjects, rootsOf, type Subject } from "./globals.ts";
import { contentForHeader, withAssets } from "./header.ts";
import { escapeHtml } from "./liquid/escape.ts";
import type { FilterThis } from "./liquid/filter-this.ts";
import { createEngine, type Engine } from "./liquid/engine.ts";
import { newPageState, type PageState } from "./liquid/page-state.ts";
import { proxyPrefix } from "./app-proxy-prefix.ts";
import type { Visit } from "./visitor.ts";

const THEME = fileURLToPath(new URL("../theme", import.meta.url));

/** Paths of the CDN. */
export const THEME_ASSETS = "/shopifycloud/theme/assets/";
export const EXTENSION_ASSETS = "/shopifycloud/extensions/wishlist-theme/assets/";

function asset(folder: string) {
  return (file: string, options: FilterThis): string =>
    `${String(options.context.getSync(["cdn_origin"]))}${folder}${file}`;
}

const theme = createEngine(THEME, asset(THEME_ASSETS));
const engines = new Map<string, Engine>();

function extensionEngine(folder: string): Engine {
  const engine = engines.get(folder) ?? createEngine(folder, asset(EXTENSION_ASSETS));
  engines.set(folder, engine);
  return engine;
}

interface Rendering {
  store: Store;
  visit: Visit;
  globals: object;
  state: PageState;
}

/** A mistake in Liquid shows in the page, as in Shopify, and in the journal. */
async function attempt({ store }: Rendering, what: string, render: () => Promise<string>): Promise<string> {
  try {
    return await render();
  } catch (error) {
    const message = error instanceof Error ? error.message : "unknown";
    store.journal.add({ kind: "theme", what: `${what}: ${message}` });
    return `Liquid error (${escapeHtml(what)}): ${escapeHtml(message)}`;
  }
}

async function renderBlock(page: Rendering, block: Block, className: string): Promise<string> {
  const { store, visit, globals, state } = page;
  const { handle, schema } = block;
  const id = `A${handle.replaceAll(/[^a-z0-9]/g, "")}1`;
  const cdn = visit.arrival.addresses.cdn + EXTENSION_ASSETS;
  if (schema.stylesheet !== undefined) {
    state.assets.add(`<link href="${cdn}${schema.stylesheet}" rel="stylesheet" type="text/css" media="all">`);
  }
  if (schema.javascript !== undefined) state.assets.add(`<script async src="${cdn}${schema.javascript}"></script>`);
  const html = await attempt(page, `blocks/${handle}.liquid`, () =>
    extensionEngine(store.options.extension).render(
      { file: `blocks/${handle}` },
      {
        ...globals,
        block: {
          id,
          type: `shopify://apps/${store.options.appHandle}/blocks/${handle}/1`,
          settings: shownSettings(store, block, rootsOf(visit).path),
          shopify_attributes: "",
        },
        app: { metafields: {} },
      },
      state,
    ),
  );
  return `<div id="shopify-block-${id}" class="shopify-block ${className}">${html}</div>`;
}

async function renderAll(page: Rendering, blocks: readonly Block[], className: string): Promise<string> {
  const html: string[] = [];
  for (const block of blocks) html.push(await renderBlock(page, block, className));
  return html.join("\n");
}

/** What the extension holds, or why none of it can be shown. */
function readable(page: Rendering, read: () => Block[]): Block[] {
  try {
    return page.store.installation.installed ? read() : [];
  } catch (error) {
    page.store.journal.add({ kind: "theme", what: error instanceof Error ? error.message : "the extension is broken" });
    return [];
  }
}

async function render(
  store: Store,
  visit: Visit,
  subject: Subject,
  content: { file: string } | { source: string },
  slot?: Slot,
): Promise<string> {
  const objects = { ...globalObjects(store, visit, subject), cdn_origin: visit.arrival.addresses.cdn };
  const state = newPageState();
  const page: Rendering = { store, visit, globals: objects, state };
  const app_blocks =
    slot === undefined
      ? ""
      : await renderAll(
          page,
          readable(page, () => blocksIn(store, slot)),
          "shopify-app-block",
        );
  const globals = { ...objects, app_blocks };
  const main = await attempt(page, "file" in content ? `${content.file}.liquid` : "app proxy", () =>
    theme.render(content, globals, state),
  );
  if (state.layout === "none") return main;
  const forBody = await renderAll(
    page,
    readable(page, () => embeds(store, "body", subject.template)),
    "shopify-app-embed",
  );
  const forHead = await renderAll(
    page,
    readable(page, () => embeds(store, "head", subject.template)),
    "shopify-app-embed",
  );
  const html = await attempt(page, "layout/theme.liquid", () =>
    theme.render(
      { file: "layout/theme" },
      {
        ...globals,
        content_for_header: contentForHeader(store, visit, subject) + forHead,
        content_for_layout: main,
      },
      state,
    ),
  );
  return withAssets(
    html.replace("</body>", () => `${forBody}</body>`),
    state,
  );
}

/** A page of the theme. */
export async function renderPage(store: Store, visit: Visit, subject: Subject, slot?: Slot): Promise<Response> {
  const html = await render(store, visit, subject, { file: `templates/${subject.template}` }, slot);
  return new Response(html, {
    status: subject.status ?? 200,
    headers: { "content-type": "text/html; charset=utf-8" },
  });
}

/** An app's `application/liquid` answer, inside the theme unless it says `{% layout none %}`. */
export async function renderProxyAnswer(store: Store, visit: Visit, liquid: string): Promise<string> {
  const rest = visit.url.pathname.slice(proxyPrefix(store).length);
  const subject: Subject = { template: "page", title: rest.startsWith("/shared") ? "Shared wishlist" : "Wishlist" };
  return render(store, visit, subject, { source: liquid });
}
