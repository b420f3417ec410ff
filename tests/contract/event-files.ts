/** What is written from the records of the events: the admin's labels, the table in docs/webhooks.md and the triggers of Shopify Flow. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { EVENT_GROUPS, EVENT_RECORDS, EVENT_TABLE } from "../../app/webhooks/events/events.ts";
import type { FlowTrigger } from "../../app/webhooks/events/flow-trigger.ts";
import { formatText } from "../../packages/format.ts";

export interface Published {
  file: URL;
  /** the text that the file must have */
  text: string;
}

const ROOT = new URL("../../", import.meta.url);

async function formatted(file: URL, text: string): Promise<Published> {
  return { file, text: await formatText(fileURLToPath(file), text) };
}

function labels(): Promise<Published> {
  const entries = EVENT_RECORDS.map(({ name, label, help }) => [name, { label, help }]);
  const text = `// Written by \`npm run api:write\` from the records of the events, whose schemas the browser does not need. Do not edit.
import type { Event } from "../../webhooks/events/events.ts";

export const EVENT_LABELS: Record<Event, { label: string; help: string }> = ${JSON.stringify(Object.fromEntries(entries))};

export const EVENT_GROUPS: readonly { title: string; events: readonly Event[] }[] = ${JSON.stringify(EVENT_GROUPS)};
`;
  return formatted(new URL("app/admin/webhooks/event-labels.ts", ROOT), text);
}

/** The first table of the document. */
const TABLE = /^\| event .*\n(?:\|.*\n)*/m;

async function documentation(): Promise<Published> {
  const file = new URL("docs/webhooks.md", ROOT);
  const text = await readFile(file, "utf8");
  if (!TABLE.test(text)) throw new Error("docs/webhooks.md has no table of events.");
  return formatted(
    file,
    text.replace(TABLE, () => `${EVENT_TABLE}\n`),
  );
}

/** Returns an element of an array of tables. Texts are written as in JSON, whose escapes TOML shares. */
function toml(name: string, values: Readonly<Record<string, string | boolean>>): string {
  const lines = Object.entries(values).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`);
  return `[[${name}]]\n${lines.join("")}`;
}

function flowExtension({ handle, name, description, uid, fields }: FlowTrigger): Published {
  const settings = fields.map(({ type, described, isOptional }) => {
    const more = described && { ...described, required: !isOptional };
    return toml("settings.fields", { type, ...more });
  });
  const head = toml("extensions", { name, type: "flow_trigger", handle, uid, description });
  return {
    file: new URL(`extensions/${handle.replace(/^wishlist-/, "flow-")}/shopify.extension.toml`, ROOT),
    text: [head, "[settings]\n", ...settings].join("\n"),
  };
}

/** Returns the files that are written from the records of the events. */
export async function eventFiles(): Promise<Published[]> {
  const triggers = EVENT_RECORDS.flatMap(({ trigger }) => trigger ?? []);
  return [await labels(), await documentation(), ...triggers.map(flowExtension)];
}
