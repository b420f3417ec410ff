import { z } from "zod";
import { textSchema } from "../text.ts";

// The details of an item that its owner sets, as requests give and responses show them.

export const MAX_QUANTITY = 999;
export const MAX_NOTE = 500;
const MAX_PROPERTIES = 20;
const MAX_PROPERTY = 255;
/** Bytes of the properties as JSON. Together with the note, 4 kB for an item. */
const MAX_PROPERTIES_BYTES = 2_000;
const MAX_POSITION = 1e9;

const quantity = z.int().min(1).max(MAX_QUANTITY);
const note = textSchema(MAX_NOTE);
const utf8 = new TextEncoder();
const properties = z
  .record(textSchema(MAX_PROPERTY).min(1, "must not be empty"), textSchema(MAX_PROPERTY))
  .refine((given) => Object.keys(given).length <= MAX_PROPERTIES, {
    error: `must have at most ${MAX_PROPERTIES} entries`,
    abort: true,
  })
  .refine(
    (given) => utf8.encode(JSON.stringify(given)).length <= MAX_PROPERTIES_BYTES,
    `must have at most ${MAX_PROPERTIES_BYTES} bytes as JSON in UTF-8`,
  )
  .meta({ maxProperties: MAX_PROPERTIES });
const position = z.number().min(-MAX_POSITION).max(MAX_POSITION);

const EXAMPLE = { quantity: 2, note: "For the trip in May", properties: { Engraving: "A. L." }, position: 1 } as const;

const MEANINGS = {
  quantity: `How many the shopper wants, 1 to ${MAX_QUANTITY}`,
  note: `The shopper's note, at most ${MAX_NOTE} characters`,
  properties: `At most ${MAX_PROPERTIES} names with values of at most ${MAX_PROPERTY} characters, together at most ${MAX_PROPERTIES_BYTES} bytes of JSON, such as the line item properties of a personalized product`,
  position:
    "A number by which `sort=position` orders the items, ascending; items without one come last. Any number between two others places an item between them",
} as const;

/** The details in responses. */
export const itemDetails = {
  quantity: z.int().optional().meta({ description: MEANINGS.quantity, example: EXAMPLE.quantity, "x-additive": true }),
  note: z.string().optional().meta({ description: MEANINGS.note, example: EXAMPLE.note, "x-additive": true }),
  properties: z
    .record(z.string(), z.string())
    .optional()
    .meta({ description: MEANINGS.properties, example: EXAMPLE.properties, "x-additive": true }),
  position: z
    .number()
    .optional()
    .meta({ description: MEANINGS.position, example: EXAMPLE.position, "x-additive": true }),
};

/** The details of an item that is added. */
export const newItemDetails = {
  quantity: quantity.optional().meta({ description: MEANINGS.quantity, example: EXAMPLE.quantity, "x-additive": true }),
  note: note.optional().meta({ description: MEANINGS.note, example: EXAMPLE.note, "x-additive": true }),
  properties: properties
    .optional()
    .meta({ description: MEANINGS.properties, example: EXAMPLE.properties, "x-additive": true }),
};

/** The details of a line of the store's cart. */
export const lineDetails = { quantity, properties };

/** The details of an item that is changed; null clears one. */
export const changedDetails = {
  quantity: quantity.nullable().optional().meta({ description: MEANINGS.quantity, example: EXAMPLE.quantity }),
  note: note.nullable().optional().meta({ description: MEANINGS.note, example: EXAMPLE.note }),
  properties: properties.nullable().optional().meta({ description: MEANINGS.properties, example: EXAMPLE.properties }),
  position: position.nullable().optional().meta({ description: MEANINGS.position, example: EXAMPLE.position }),
};

export interface Details {
  quantity?: number | null | undefined;
  note?: string | null | undefined;
  properties?: Record<string, string> | null | undefined;
  position?: number | null | undefined;
}

/** Returns details as the database keeps them: without surrounding space, and an empty note or object as null. Details that are not given stay absent. */
export function storedDetails({ quantity: many, note: text, properties: pairs, position: place }: Details): Details {
  return {
    ...(many === undefined ? {} : { quantity: many }),
    ...(text === undefined ? {} : { note: text?.trim() === "" ? null : (text?.trim() ?? null) }),
    ...(pairs === undefined ? {} : { properties: pairs && Object.keys(pairs).length > 0 ? pairs : null }),
    ...(place === undefined ? {} : { position: place }),
  };
}
