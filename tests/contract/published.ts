/** The published contract: docs/openapi.json, and the breaks of it that were accepted; and the other files that are written from declarations. */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { document } from "../../app/surfaces/v1/index.server.ts";
import { breakingChanges, contractSchema, type Contract } from "./breaking-changes.ts";
import { collectionOf } from "./collection.ts";
import { eventFiles, type Published } from "./event-files.ts";

const ACCEPTED = new URL("accepted-breaks.json", import.meta.url);

/** Returns the text of a JSON file. Indented, because Redocly reports line numbers, and because people read the differences. */
function textOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Returns the files that are made of the declarations of endpoints and events. */
export async function publishedFiles(): Promise<{ openapi: Published; others: Published[] }> {
  const contract = document();
  const collection = {
    file: new URL("../../app/surfaces/v1/documentation/collection.json", import.meta.url),
    text: textOf(collectionOf(contract)),
  };
  return {
    openapi: { file: new URL("../../docs/openapi.json", import.meta.url), text: textOf(contract) },
    others: [collection, ...(await eventFiles())],
  };
}

/** Returns the text of the file, or an empty one when it does not exist. */
export async function committed({ file }: Published): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}

function contractOf(text: string): Contract {
  return contractSchema.parse(JSON.parse(text));
}

/** Returns the breaks of the committed document that accepted-breaks.json does not list with a reason. */
export async function refusedBreaks(openapi: Published): Promise<string[]> {
  const before = await committed(openapi);
  if (before === "") return [];
  const accepted = z.record(z.string(), z.string().min(20)).parse(JSON.parse(await readFile(ACCEPTED, "utf8")));
  return breakingChanges(contractOf(before), contractOf(openapi.text)).filter((what) => accepted[what] === undefined);
}

/** Explains refused breaks to the developer who made them. */
export function refusal(breaks: readonly string[]): string {
  return `These changes break clients of docs/openapi.json:
${breaks.map((what) => `  ${what}`).join("\n")}
Keep what clients use. If a break is intended, add it to tests/contract/accepted-breaks.json with the reason:
  ${JSON.stringify(breaks[0])}: "why, and what clients do instead"
`;
}
