import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Liquid } from "liquidjs";
import { z } from "zod";
import { EXTENSION_ASSETS } from "../../../packages/devstore/storefront/page.ts";

/** The theme extension's folder. */
export const EXTENSION = fileURLToPath(new URL("../../../extensions/wishlist-theme/", import.meta.url));

const schemaShape = z.object({
  name: z.string(),
  target: z.enum(["section", "body"]),
  javascript: z.string(),
  stylesheet: z.string(),
  settings: z.array(z.object({ id: z.string().optional(), type: z.string(), default: z.unknown().optional() })),
});
export type BlockSchema = z.infer<typeof schemaShape>;
export type Settings = Record<string, unknown>;

type Texts = z.infer<typeof textsShape>;
const textsShape = z.record(z.string(), z.record(z.string(), z.string()));

/** A block's Liquid, and its schema. */
export function readBlock(name: string): { liquid: string; schema: BlockSchema } {
  const source = readFileSync(`${EXTENSION}blocks/${name}.liquid`, "utf8");
  const [, liquid = "", schema = ""] = /^([\s\S]*)\{% schema %\}([\s\S]*)\{% endschema %\}\s*$/.exec(source) ?? [];
  return { liquid, schema: schemaShape.parse(JSON.parse(schema)) };
}

/** Renders blocks of the extension like a theme, with default settings. */
export function blockRenderer(locale: string): (name: string, settings?: Settings, scope?: object) => string {
  const file = `${EXTENSION}locales/${locale === "en" ? "en.default" : locale}.json`;
  const texts: Texts = textsShape.parse(JSON.parse(readFileSync(file, "utf8")));
  const engine = new Liquid({ root: `${EXTENSION}snippets/`, extname: ".liquid" });
  engine.registerFilter("t", (key: string, ...values: [string, unknown][]) => {
    const [group = "", name = ""] = key.split(".");
    return values.reduce(
      (text, [variable, value]) => text.replace(`{{ ${variable} }}`, String(value)),
      texts[group]?.[name] ?? `missing: ${key}`,
    );
  });
  engine.registerFilter("asset_url", (file: string) => EXTENSION_ASSETS + file);
  engine.registerFilter("stylesheet_tag", (url: string) => `<link rel="stylesheet" href="${url}">`);
  engine.registerFilter("image_url", (image: unknown) => String(image));
  return (name, settings = {}, scope = {}) => {
    const { liquid, schema } = readBlock(name);
    const defaults = Object.fromEntries(schema.settings.flatMap(({ id, default: value }) => (id ? [[id, value]] : [])));
    const block = { settings: { ...defaults, ...settings }, shopify_attributes: "" };
    return z.string().parse(engine.parseAndRenderSync(liquid, { ...scope, block }, { globals: scope }));
  };
}
