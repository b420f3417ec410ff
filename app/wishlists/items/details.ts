import { z } from "zod";
import { textSchema } from "../text.ts";

/*
 * The details of an item that its owner sets: the only list of them. A detail has one name in requests, responses, files and events, and as a column of
 * `wishlist_item` and `import_entry`. CONTRIBUTING.md says what a further one needs.
 */

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

const META = {
  quantity: { description: `How many the shopper wants, 1 to ${MAX_QUANTITY}`, example: 2 },
  note: { description: `The shopper's note, at most ${MAX_NOTE} characters`, example: "For the trip in May" },
  properties: {
    description: `At most ${MAX_PROPERTIES} names with values of at most ${MAX_PROPERTY} characters, together at most ${MAX_PROPERTIES_BYTES} bytes of JSON, such as the line item properties of a personalized product`,
    example: { Engraving: "A. L." },
  },
  position: {
    description:
      "A number by which `sort=position` orders the items, ascending; items without one come last. Any number between two others places an item between them",
    example: 1,
  },
} as const;

type ColumnType = "integer" | "double precision" | "text" | "jsonb";

/** The types of the details' columns. */
export const DETAIL_TYPES = {
  quantity: "integer",
  note: "text",
  properties: "jsonb",
  position: "double precision",
} as const satisfies Record<keyof typeof META, ColumnType>;

/** What an import says of a value of another type, in words. */
export const EXPECTED_DETAILS = {
  quantity: `must be a whole number from 1 to ${MAX_QUANTITY}`,
  properties: 'must be a JSON object of texts, such as {"Engraving":"A. L."}',
  position: `must be a number from ${-MAX_POSITION} to ${MAX_POSITION}`,
} as const satisfies Partial<Record<keyof typeof META, string>>;

const ADDITIVE = { "x-additive": true } as const;

const shown = {
  quantity: z.int().optional(),
  note: z.string().optional(),
  properties: z.record(z.string(), z.string()).optional(),
  position: z.number().optional(),
};

/** The details in responses. */
export const itemDetails = {
  quantity: shown.quantity.meta({ ...META.quantity, ...ADDITIVE }),
  note: shown.note.meta({ ...META.note, ...ADDITIVE }),
  properties: shown.properties.meta({ ...META.properties, ...ADDITIVE }),
  position: shown.position.meta({ ...META.position, ...ADDITIVE }),
};

/** The details in an event that says an item was changed. */
export const emittedDetails = {
  quantity: shown.quantity.meta({ ...META.quantity, description: "Where it is set" }),
  note: shown.note.meta({ ...META.note, description: "Where it is set" }),
  properties: shown.properties.meta({ ...META.properties, description: "Where they are set" }),
  position: shown.position.meta({ ...META.position, description: "Where it is set" }),
};

/** The details of an item that is added. */
export const newItemDetails = {
  quantity: quantity.optional().meta({ ...META.quantity, ...ADDITIVE }),
  note: note.optional().meta({ ...META.note, ...ADDITIVE }),
  properties: properties.optional().meta({ ...META.properties, ...ADDITIVE }),
};

/** The details of a line of the store's cart. */
export const lineDetails = { quantity, properties };

/** The details of an item that is changed; null clears one. */
export const changedDetails = {
  quantity: quantity.nullable().optional().meta(META.quantity),
  note: note.nullable().optional().meta(META.note),
  properties: properties.nullable().optional().meta(META.properties),
  position: position.nullable().optional().meta(META.position),
};

const changed = z.strictObject(changedDetails);

/** The details by their names. */
export const DETAIL_FIELDS = changed.keyof().enum;

export const DETAIL_NAMES: readonly (keyof typeof DETAIL_FIELDS)[] = changed.keyof().options;

/** Details as a change gives them; null clears one. */
export type Details = z.infer<typeof changed>;

/** Reads the details that are set, in the order of responses, for example from an item's snapshot (`item_row_snapshot`). */
export const shownDetailsSchema = z.object(itemDetails);

/** Details as responses show them: those that are set. */
export type ShownDetails = z.infer<typeof shownDetailsSchema>;

/** Returns details as the database keeps them: without surrounding space, and an empty note or object as null. Details that are not given stay absent. */
export function storedDetails({ note, properties, ...others }: Details): Details {
  return {
    ...others,
    ...(note === undefined ? {} : { note: note?.trim() === "" ? null : (note?.trim() ?? null) }),
    ...(properties === undefined
      ? {}
      : { properties: properties && Object.keys(properties).length > 0 ? properties : null }),
  };
}

/** Returns the details of an item that is added as the database takes them; null without any. */
export function detailsOfNewItem(details: Details): string | null {
  const given = Object.entries(storedDetails(details)).filter(([, value]) => (value ?? null) !== null);
  return given.length > 0 ? JSON.stringify(Object.fromEntries(given)) : null;
}

/** Returns details as columns: an array for each detail. */
export function detailArrays(items: readonly Details[]): unknown[][] {
  return DETAIL_NAMES.map((name) =>
    items.map(({ [name]: value = null }) => (DETAIL_TYPES[name] === "jsonb" ? value && JSON.stringify(value) : value)),
  );
}

/** Returns SQL for the columns of the details. @param of the alias of their table */
export function detailColumns(of: string): string {
  return DETAIL_NAMES.map((name) => `${of}.${name}`).join(", ");
}
