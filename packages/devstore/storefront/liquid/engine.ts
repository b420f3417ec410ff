import { createHash, createHmac } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { Context, Liquid } from "liquidjs";
import { escapeHtml, scriptJson } from "../../foundation/html.ts";
import { readTexts, translate } from "../../foundation/translations.ts";
import { imageFilters, namedArguments } from "./images.ts";
import type { FilterContext } from "./filter-context.ts";
import { moneyFilters } from "./money.ts";
import { attachState, type PageState } from "./page-state.ts";
import { rawTags } from "./raw-tags.ts";
import { blockTags } from "./tags.ts";

export interface Engine {
  /** Renders a file such as `sections/header`, or a source text. */
  render: (what: { file: string } | { source: string }, globals: object, state: PageState) => Promise<string>;
  folder: string;
}

function localeOf(options: FilterContext): string {
  const code: unknown = options.context.getSync(["request", "locale", "iso_code"]);
  return typeof code === "string" ? code : "en";
}

/**
 * Creates Shopify's Liquid for the folder of a theme or an extension, each with its own `asset_url`, `t` and snippets. An
 * unknown filter is an error.
 * @param assetUrl returns the address of a file in `assets/`
 */
export function createEngine(folder: string, assetUrl: (file: string, options: FilterContext) => string): Engine {
  const liquid = new Liquid({
    root: [folder, path.join(folder, "snippets")],
    extname: ".liquid",
    strictFilters: true,
    ownPropertyOnly: true,
    // Templates are edited while the devstore runs.
    cache: false,
    fs: {
      sep: path.sep,
      dirname: (file: string) => path.dirname(file),
      exists: async (file: string) => existsSync(file),
      existsSync: (file: string) => existsSync(file),
      readFile: async (file: string) => readFileSync(file, "utf8"),
      readFileSync: (file: string) => readFileSync(file, "utf8"),
      contains: async (root: string, file: string) => path.resolve(file).startsWith(path.resolve(root)),
      containsSync: (root: string, file: string) => path.resolve(file).startsWith(path.resolve(root)),
      resolve: (root: string, file: string, extension: string) =>
        path.resolve(root, path.extname(file) === "" ? file + extension : file),
    },
  });
  for (const [name, tag] of Object.entries({ ...rawTags, ...blockTags })) liquid.registerTag(name, tag);
  for (const [name, filter] of Object.entries({ ...imageFilters, ...moneyFilters, ...textFilters })) {
    liquid.registerFilter(name, filter);
  }
  liquid.registerFilter("asset_url", function (this: FilterContext, file: unknown) {
    return assetUrl(String(file), this);
  });
  liquid.registerFilter("inline_asset_content", (file: unknown) => {
    const asset = path.join(folder, "assets", path.basename(String(file)));
    return existsSync(asset) ? readFileSync(asset, "utf8") : "";
  });
  const translated = function (this: FilterContext, key: unknown, ...args: unknown[]) {
    return translate(readTexts(path.join(folder, "locales")), localeOf(this), String(key), namedArguments(args));
  };
  // As in Shopify, the result is safe inside a script.
  liquid.registerFilter("json", scriptJson);
  liquid.registerFilter("t", translated);
  liquid.registerFilter("translate", translated);

  return {
    folder,
    async render(what, globals, state) {
      attachState(globals, state);
      const templates = "file" in what ? await liquid.parseFile(what.file) : liquid.parse(what.source);
      const context = new Context({}, liquid.options, { globals }, { liquid });
      const html: unknown = await liquid.render(templates, context);
      state.title = context.getSync(["page_title"]);
      return String(html);
    },
  };
}

function handleize(text: unknown): string {
  return String(text)
    .toLowerCase()
    .replaceAll("'", "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
}

const digest = (algorithm: string) => (text: unknown) => createHash(algorithm).update(String(text)).digest("hex");

const textFilters = {
  handle: handleize,
  handleize,
  md5: digest("md5"),
  sha1: digest("sha1"),
  sha256: digest("sha256"),
  hmac_sha256: (text: unknown, key: unknown) => createHmac("sha256", String(key)).update(String(text)).digest("hex"),
  pluralize: (count: unknown, one: unknown, many: unknown) => (Number(count) === 1 ? one : many),
  stylesheet_tag: (url: unknown) =>
    `<link href="${escapeHtml(String(url))}" rel="stylesheet" type="text/css" media="all">`,
  script_tag: (url: unknown) => `<script src="${escapeHtml(String(url))}" type="text/javascript"></script>`,
  preload_tag: (url: unknown, ...args: unknown[]) =>
    `<link rel="preload" as="${escapeHtml(String(namedArguments(args)["as"]))}" href="${escapeHtml(String(url))}">`,
  link_to: (text: unknown, url: unknown) => `<a href="${escapeHtml(String(url))}">${String(text)}</a>`,
  within: (url: unknown) => url,
};
