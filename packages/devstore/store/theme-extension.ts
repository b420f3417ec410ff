import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { readTexts, translate } from "../foundation/translations.ts";
import type { Store } from "./store.ts";

const settingSchema = z.object({
  id: z.string().optional(),
  type: z.string(),
  label: z.string().optional(),
  info: z.string().optional(),
  /** text of a heading or a paragraph, which have no id */
  content: z.string().optional(),
  default: z.unknown().optional(),
  options: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
});

const schemaSchema = z.object({
  name: z.string(),
  target: z.enum(["section", "head", "body", "compliance_head"]),
  javascript: z.string().optional(),
  stylesheet: z.string().optional(),
  enabled_on: z.object({ templates: z.array(z.string()).optional() }).optional(),
  disabled_on: z.object({ templates: z.array(z.string()).optional() }).optional(),
  settings: z.array(settingSchema).default([]),
});

/** A block of the theme extension with the schema of its file. */
export interface Block {
  /** file name without `.liquid` */
  handle: string;
  schema: z.infer<typeof schemaSchema>;
}

/** Reads the extension's blocks. @throws Error that names the file whose `{% schema %}` is invalid */
export function readBlocks(folder: string): Block[] {
  const blocks = path.join(folder, "blocks");
  if (!existsSync(blocks)) return [];
  const texts = readTexts(path.join(folder, "locales"), ".schema.json");
  return readdirSync(blocks)
    .filter((file) => file.endsWith(".liquid"))
    .sort()
    .map((file) => {
      const source = readFileSync(path.join(blocks, file), "utf8");
      const json = /\{%-?\s*schema\s*-?%\}([\s\S]*?)\{%-?\s*endschema\s*-?%\}/.exec(source)?.[1];
      try {
        const schema: unknown = JSON.parse(json ?? "", (_key, value: unknown) =>
          typeof value === "string" && value.startsWith("t:") ? translate(texts, "en", value.slice(2), {}) : value,
        );
        return { handle: file.replace(/\.liquid$/, ""), schema: schemaSchema.parse(schema) };
      } catch (error) {
        throw new Error(`${file}: ${error instanceof Error ? error.message : "its schema is unreadable"}`, {
          cause: error,
        });
      }
    });
}

/** The templates of the theme that accept app blocks. */
export type Slot = "product" | "page";

/** Returns where a merchant would add a block: the first template of its schema, or the one that its name suggests. */
function slotOf({ handle, schema }: Block): Slot {
  const templates = schema.enabled_on?.templates;
  if (templates !== undefined && !templates.includes("*")) return templates.includes("product") ? "product" : "page";
  return handle.includes("page") ? "page" : "product";
}

/** Returns the app blocks of a template that are switched on. */
export function blocksIn(store: Store, slot: Slot): Block[] {
  return readBlocks(store.options.extension).filter(
    (block) => block.schema.target === "section" && slotOf(block) === slot && store.blockPlacements.isOn(block.handle),
  );
}

/** Returns the app embeds that are switched on. */
export function embeds(store: Store, target: "head" | "body", template: string): Block[] {
  return readBlocks(store.options.extension).filter(({ handle, schema }) => {
    const { enabled_on: on, disabled_on: off } = schema;
    const allowed = on?.templates?.includes(template) ?? off?.templates?.includes(template) !== true;
    return schema.target === target && allowed && store.blockPlacements.isOn(handle);
  });
}

/** Returns the settings as Liquid sees them, with objects for pages and pictures. */
export function liquidSettings(store: Store, block: Block, root: string): Record<string, unknown> {
  const settings = settingsOf(store, block);
  for (const { id = "", type } of block.schema.settings) {
    const value = settings[id];
    if (typeof value !== "string") continue;
    if (type === "page") settings[id] = value === "" ? undefined : { handle: value, url: `${root}/pages/${value}` };
    if (type === "image_picker") settings[id] = value === "" ? undefined : { src: value };
  }
  return settings;
}

/** Returns the merchant's settings, completed with the schema's defaults. */
export function settingsOf(store: Store, { handle, schema }: Block): Record<string, unknown> {
  const defaults = schema.settings.flatMap(({ id, default: value }) =>
    id === undefined ? [] : [[id, value] as const],
  );
  return { ...Object.fromEntries(defaults), ...store.blockPlacements.settings(handle) };
}
