import script from "virtual:wishlist-page-script";
import style from "../theme/assets/wishlist.css?raw";
import { escapeText } from "./escape.ts";
import { assignTexts, resolveTexts } from "./texts.ts";

/**
 * The pages are written as snippets of a theme (`../theme`), which Theme Check and Prettier understand. The store renders a proxied page
 * without the app's snippets, texts and assets, so `render`, `t` and `inline_asset_content` are resolved here, when the app starts.
 * What a page shows comes as variables, assigned before it: data is never put into Liquid code.
 */

const snippets = new Map(
  Object.entries(
    import.meta.glob<string>("../theme/snippets/*.liquid", { query: "?raw", import: "default", eager: true }),
  ).map(([path, source]) => [path.replace(/.*\/|\.liquid$/g, ""), source]),
);

/** Raises each class above a theme's rules for ids, so that a theme's rules for `button` or `svg` do not change the page's shapes. */
const protectedStyle = style.replaceAll(/\.wl(?:-[a-z-]+)?(?![\w-])/g, "$&:not(#wl)");

const assets = new Map([
  ["wishlist.css", protectedStyle],
  ["wishlist.js", script],
]);

const NOT_RENDERED = /\{%-?\s*(doc|comment)\s*-?%\}[^]*?\{%-?\s*end\1\s*-?%\}|\{%-?\s*#[^]*?%\}/g;
const RENDER = /\{%-?\s*render\s+'([\w-]+)'\s*((?:,\s*\w+:\s*(?:'[^']*'|\w+)\s*)*)-?%\}/g;
const ARGUMENT = /,\s*(\w+):\s*('[^']*'|\w+)/g;

/**
 * Puts a snippet in the place of its `render`. Its arguments become variables of the page, so all variables are named `wl_…`, and one
 * name means one thing.
 */
function inline(name: string): string {
  const source = snippets.get(name);
  if (source === undefined) throw new Error(`There is no snippet theme/snippets/${name}.liquid.`);
  return compact(source.replaceAll(NOT_RENDERED, "")).replaceAll(RENDER, (_, child: string, values: string) => {
    const assigns = [...values.matchAll(ARGUMENT)]
      .filter(([, variable, value]) => variable !== value)
      .map(([, variable = "", value = ""]) => `{%- assign ${variable} = ${value} -%}`);
    return assigns.join("") + inline(child);
  });
}

const TOKEN = /\{%-?\s*liquid\b[^]*?%\}|\{[{%][^]*?[}%]\}|<[a-z/]|>|\s*\n\s*>?/g;

/**
 * Takes line breaks and indentation out, as JSX does: white space with a line break in it is the file's layout and no part of the page's
 * text. Within an element's tag it separates attributes.
 */
function compact(liquid: string): string {
  let isInTag = false;
  return liquid.trim().replaceAll(TOKEN, (token) => {
    if (token.startsWith("{")) return token.replaceAll(/\s*\n\s*/g, /^\{%-?\s*liquid\b/.test(token) ? "\n" : " ");
    const shown = token.trim();
    if (shown !== "") isInTag = shown !== ">";
    else if (isInTag) return " ";
    return shown;
  });
}

const PAGES = ["alert-request", "failure", "guest", "log-in", "shared", "wishlist", "withdraw"] as const;
export type Page = (typeof PAGES)[number];

/** The style and the script, which a page needs once however many fragments come into it. */
const BROUGHT_ALONG = /<(style|script)>\{\{ '([\w.]+)' \| inline_asset_content \}\}<\/\1>/g;

function compile(page: Page, isBare: boolean): string {
  const body = resolveTexts(inline("frame").replace("{{ wl_content }}", () => inline(`page-${page}`))).replaceAll(
    BROUGHT_ALONG,
    // Nothing in `raw` is Liquid.
    (_, tag: string, file: string) => (isBare ? "" : `<${tag}>{% raw %}${assets.get(file) ?? ""}{% endraw %}</${tag}>`),
  );
  return assignTexts(body) + body;
}

const compiled = new Map(PAGES.map((page) => [page, { whole: compile(page, false), bare: compile(page, true) }]));

/** A variable's value. Text becomes HTML text; an array's entries do, too. */
export type Value = string | number | boolean | readonly string[] | undefined;

/** Stands between the entries of an array: escaped text holds none. */
const SEPARATOR = "<";

function assign(name: string, value: Value): string {
  if (value === undefined) return "";
  const variable = `wl_${name.replaceAll(/[A-Z]/g, (character) => `_${character.toLowerCase()}`)}`;
  if (typeof value === "number" || typeof value === "boolean") return `{%- assign ${variable} = ${value} -%}`;
  // Escaped text holds neither quotes nor braces, so it can end neither the string nor the tag.
  if (typeof value === "string") return `{%- assign ${variable} = "${escapeText(value)}" -%}`;
  const entries = value.map(escapeText).join(SEPARATOR);
  return `{%- assign ${variable} = "${entries}" | split: "${SEPARATOR}" -%}`;
}

/**
 * Returns a page as Liquid for the store's theme.
 * @param data the variables of its snippets: `productIds` is `wl_product_ids`
 * @param part `bare` without the style and script
 */
export function renderPage(
  page: Page,
  data: Readonly<Record<string, Value>>,
  part: "whole" | "bare" = "whole",
): string {
  const assigns = Object.entries(data).map(([name, value]) => assign(name, value));
  return assigns.join("") + (compiled.get(page)?.[part] ?? "");
}
