import { createHash, createHmac } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { Context, Liquid } from "liquidjs";
import { inScript } from "../header.ts";
import { escapeHtml } from "./escape.ts";
import { imageFilters, namedArguments } from "./images.ts";
import type { FilterThis } from "./filter-this.ts";
import { moneyFilters } from "./money.ts";
import { remember, type PageState } from "./page-state.ts";
import { rawTags } from "./raw-tags.ts";
import { blockTags } from "./tags.ts";
import { readTexts, translate } from "./translations.ts";

export interface Engine {
  /** @param file such as `sections/header`, or `source` that is in no file */
  render: (what: { file: string } | { source: string }, globals: object, state: PageState) => Promise<string>;
  /** Templates and texts are read again: they are edited while the devstore runs. */
  folder: string;
}

function localeOf(options: FilterThis): string {
  const code: unknown = options.context.getSync(["request", "locale", "iso_code"]);
  return typeof code === "string" ? code : "en";
}

/**
 * Shopify's Liquid on a theme's folder, or on an extension's, whose `asset_url`, `t` and snippets are its own. A filter that
 * Shopify does not have, or that is missing here, is an error and no silence.
 * @param assetUrl the address of a file in `assets/`, from the page's globals
 */
export function createEngine(folder: string, assetUrl: (file: string, options: FilterThis) => string): Engine {
  const liquid = new Liquid({
    root: [folder, path.join(folder, "snippets")],
    extname: ".liquid",
    strictFilters: true,
    ownPropertyOnly: true,
    // Reads templates anew for every page.
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
  liquid.registerFilter("asset_url", function (this: FilterThis, file: unknown) {
    return assetUrl(String(file), this);
  });
  liquid.registerFilter("inline_asset_content", (file: unknown) => {
    const asset = path.join(folder, "assets", path.basename(String(file)));
    return existsSync(asset) ? readFileSync(asset, "utf8") : "";
  });
  const translated = function (this: FilterThis, key: unknown, ...args: unknown[]) {
    return translate(readTexts(path.join(folder, "locales")), localeOf(this), String(key), namedArguments(args));
  };
  // As Shopify's: what comes of it may stand in a script.
  liquid.registerFilter("json", inScript);
  liquid.registerFilter("t", translated);
  liquid.registerFilter("translate", translated);

  return {
    folder,
    async render(what, globals, state) {
      remember(globals, state);
      const templates = "file" in what ? await liquid.parseFile(what.file) : liquid.parse(what.source);
      const context = new Context({}, liquid.options, { globals }, { liquid });
      const html: unknown = await liquid.render(templates, context);
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
