import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { z } from "zod";

const TOP = fileURLToPath(new URL("../../", import.meta.url));

const configured = z.object({ uid: z.string().optional() });
const fileSchema = configured.extend({ extensions: z.array(configured).optional() });

/** Returns the uids of a file: one file has several extensions or is one itself. */
function uidsOf(file: string): (string | undefined)[] {
  const content = fileSchema.parse(parse(readFileSync(TOP + file, "utf8")));
  return (content.extensions ?? [content]).map(({ uid }) => uid);
}

// `shopify app dev` and `shopify app deploy` write what is missing, and remove what is obsolete, in the files of the repository.
test("every extension has a uid that no other extension has", () => {
  const uids = globSync("extensions/*/shopify.extension.toml", { cwd: TOP }).flatMap(uidsOf);
  expect(uids.length).toBeGreaterThan(10);
  expect(uids).not.toContain(undefined);
  expect(new Set(uids).size).toBe(uids.length);
});

test("shopify.app.toml lacks the obsolete setting include_config_on_deploy", () => {
  expect(readFileSync(`${TOP}shopify.app.toml`, "utf8")).not.toContain("include_config_on_deploy");
});
