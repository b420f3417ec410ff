import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "smol-toml";
import { z } from "zod";

/** Names of the payload's properties for reference fields, which hold numeric ids. */
const REFERENCES: Readonly<Record<string, string>> = {
  customer_reference: "customer_id",
  order_reference: "order_id",
  product_reference: "product_id",
};

const CUSTOM_TYPES = ["boolean", "email", "multi_line_text_field", "number_decimal", "single_line_text_field", "url"];

// The rules of Shopify's CLI, so that an extension that it would refuse does not work here.
const fieldSchema = z
  .object({
    type: z.enum([...Object.keys(REFERENCES), ...CUSTOM_TYPES]),
    key: z
      .string()
      .regex(/^[A-Za-z\s]+$/, "A field's key has only letters and spaces.")
      .optional(),
    description: z.string().optional(),
    required: z.boolean().default(true),
  })
  .refine(({ type, key }) => type in REFERENCES === (key === undefined), {
    error: "A reference field has no key, and every other field has one.",
  });

const triggerSchema = z.object({
  type: z.literal("flow_trigger"),
  name: z.string().min(1),
  handle: z
    .string()
    .max(30)
    .regex(/^[A-Za-z0-9-]+$/),
  description: z.string().default(""),
});

// Version 4.8.2 of the CLI does not resolve a path against the app's address.
const callbackSchema = z.object({
  type: z.literal("flow_trigger_lifecycle_callback"),
  url: z.url({ protocol: /^https$/, error: "A lifecycle callback needs an absolute https: address." }),
});

const fileSchema = z.object({
  extensions: z.array(z.looseObject({ type: z.string() })).default([]),
  settings: z.object({ fields: z.array(z.unknown()).default([]) }).optional(),
});

export interface FlowField {
  /** name of the payload's property */
  property: string;
  type: string;
  required: boolean;
}

export interface FlowTrigger {
  handle: string;
  name: string;
  description: string;
  fields: FlowField[];
}

/** The Flow extensions of an app. */
export interface FlowExtensions {
  triggers: FlowTrigger[];
  /** addresses to which Flow sends lifecycle callbacks */
  lifecycleCallbacks: string[];
}

function readFile(file: string): FlowExtensions {
  const { extensions, settings } = fileSchema.parse(parse(readFileSync(file, "utf8")));
  const triggers = extensions
    .filter(({ type }) => type === "flow_trigger")
    .map((extension): FlowTrigger => {
      const { handle, name, description } = triggerSchema.parse(extension);
      const fields = z.array(fieldSchema).parse(settings?.fields ?? []);
      return {
        handle,
        name,
        description,
        fields: fields.map(({ type, key, required }) => ({
          property: key ?? REFERENCES[type] ?? type,
          type,
          required,
        })),
      };
    });
  const lifecycleCallbacks = extensions
    .filter(({ type }) => type === "flow_trigger_lifecycle_callback")
    .map((extension) => callbackSchema.parse(extension).url);
  return { triggers, lifecycleCallbacks };
}

/**
 * Reads the Flow triggers and lifecycle callbacks of an app's folder of extensions; the app may have none.
 * @throws Error that names the file that Shopify's CLI would refuse
 */
export function readFlowExtensions(folder: string): FlowExtensions {
  const all: FlowExtensions = { triggers: [], lifecycleCallbacks: [] };
  if (!existsSync(folder)) return all;
  for (const name of readdirSync(folder).sort()) {
    const file = path.join(folder, name, "shopify.extension.toml");
    if (!existsSync(file)) continue;
    try {
      const { triggers, lifecycleCallbacks } = readFile(file);
      all.triggers.push(...triggers);
      all.lifecycleCallbacks.push(...lifecycleCallbacks);
    } catch (error) {
      const reason = error instanceof z.ZodError ? z.prettifyError(error) : error instanceof Error ? error.message : "";
      throw new Error(`${name}/shopify.extension.toml: ${reason}`, { cause: error });
    }
  }
  return all;
}
