import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Store } from "../store/store.ts";
import { blocksIn, embeds, liquidSettings, type Block, type Slot } from "../store/theme-extension.ts";
import { escapeHtml } from "../foundation/html.ts";
import { globalObjects, rootsOf, type PageSubject } from "./globals.ts";
import { contentForHeader, withAssets } from "./content-for-header.ts";
import type { FilterContext } from "./liquid/filter-context.ts";
import { createEngine, type Engine } from "./liquid/engine.ts";
import { newPageState, type PageState } from "./liquid/page-state.ts";
import { proxyPrefix } from "./proxy-prefix.ts";
import type { StorefrontContext } from "./context.ts";

const THEME = fileURLToPath(new URL("../theme", import.meta.url));

/** Folders of the CDN. */
export const THEME_ASSETS = "/shopifycloud/theme/assets/";
export const EXTENSION_ASSETS = "/shopifycloud/extensions/wishlist-theme/assets/";

function asset(folder: string) {
  return (file: string, options: FilterContext): string =>
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
  context: StorefrontContext;
  globals: object;
  state: PageState;
}

/** Renders a source; an error in its Liquid appears in the page, as in Shopify, and in the journal. */
async function renderOrReport({ store }: Rendering, source: string, render: () => Promise<string>): Promise<string> {
  try {
    return await render();
  } catch (error) {
    const message = error instanceof Error ? error.message : "unknown";
    store.journal.record({ kind: "theme", summary: `${source}: ${message}` });
    return `Liquid error (${escapeHtml(source)}): ${escapeHtml(message)}`;
  }
}

async function renderBlock(page: Rendering, block: Block, className: string): Promise<string> {
  const { store, context, globals, state } = page;
  const { handle, schema } = block;
  const id = `A${handle.replaceAll(/[^a-z0-9]/g, "")}1`;
  const cdn = context.addresses.cdn + EXTENSION_ASSETS;
  if (schema.stylesheet !== undefined) {
    state.assets.add(`<link href="${cdn}${schema.stylesheet}" rel="stylesheet" type="text/css" media="all">`);
  }
  if (schema.javascript !== undefined) state.assets.add(`<script async src="${cdn}${schema.javascript}"></script>`);
  const html = await renderOrReport(page, `blocks/${handle}.liquid`, () =>
    extensionEngine(store.options.extension).render(
      { file: `blocks/${handle}` },
      {
        ...globals,
        block: {
          id,
          type: `shopify://apps/${store.options.appHandle}/blocks/${handle}/1`,
          settings: liquidSettings(store, block, rootsOf(context).path),
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

/** Returns the extension's blocks; an invalid one is reported in the journal. */
function readOrReport(page: Rendering, read: () => Block[]): Block[] {
  try {
    return page.store.installation.installed ? read() : [];
  } catch (error) {
    page.store.journal.record({
      kind: "theme",
      summary: error instanceof Error ? error.message : "the extension is invalid",
    });
    return [];
  }
}

async function render(
  store: Store,
  context: StorefrontContext,
  subject: PageSubject,
  content: { file: string } | { source: string },
  slot?: Slot,
): Promise<string> {
  const objects = { ...globalObjects(store, context, subject), cdn_origin: context.addresses.cdn };
  const state = newPageState();
  const page: Rendering = { store, context, globals: objects, state };
  const app_blocks =
    slot === undefined
      ? ""
      : await renderAll(
          page,
          readOrReport(page, () => blocksIn(store, slot)),
          "shopify-app-block",
        );
  const globals = { ...objects, app_blocks };
  const main = await renderOrReport(page, "file" in content ? `${content.file}.liquid` : "app proxy", () =>
    theme.render(content, globals, state),
  );
  // The layout shares the variables of the page, and themes read this one.
  const page_title = state.title;
  if (state.layout === "none") return main;
  const { renderLayout } = store.options;
  if (renderLayout !== undefined) return renderLayout(main);
  const forBody = await renderAll(
    page,
    readOrReport(page, () => embeds(store, "body", subject.template)),
    "shopify-app-embed",
  );
  const forHead = await renderAll(
    page,
    readOrReport(page, () => embeds(store, "head", subject.template)),
    "shopify-app-embed",
  );
  const html = await renderOrReport(page, "layout/theme.liquid", () =>
    theme.render(
      { file: "layout/theme" },
      {
        ...globals,
        page_title,
        content_for_header: contentForHeader(store, context, subject) + forHead,
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

/** Renders a page of the theme. */
export async function renderPage(
  store: Store,
  context: StorefrontContext,
  subject: PageSubject,
  slot?: Slot,
): Promise<Response> {
  const html = await render(store, context, subject, { file: `templates/${subject.template}` }, slot);
  return new Response(html, {
    status: subject.status ?? 200,
    headers: { "content-type": "text/html; charset=utf-8" },
  });
}

/** Renders sections of the theme by id; null for a section that the theme lacks. */
export async function renderSections(
  store: Store,
  context: StorefrontContext,
  ids: readonly string[],
): Promise<Record<string, string | null>> {
  const subject = { template: "cart", title: "" };
  const globals = { ...globalObjects(store, context, subject), cdn_origin: context.addresses.cdn };
  const page: Rendering = { store, context, globals, state: newPageState() };
  const sections: Record<string, string | null> = {};
  for (const id of ids) {
    const file = `sections/${id}.liquid`;
    const exists = /^[\w-]+$/.test(id) && existsSync(path.join(THEME, file));
    const source = `{% section '${id}' %}`;
    sections[id] = exists
      ? await renderOrReport(page, file, () => theme.render({ source }, globals, page.state))
      : null;
  }
  return sections;
}

/** Renders an app's `application/liquid` response inside the theme, unless it contains `{% layout none %}`. */
export async function renderProxyResponse(store: Store, context: StorefrontContext, liquid: string): Promise<string> {
  const rest = context.url.pathname.slice(proxyPrefix(store).length);
  const subject: PageSubject = { template: "page", title: rest.startsWith("/shared") ? "Shared wishlist" : "Wishlist" };
  return render(store, context, subject, { source: liquid });
}
