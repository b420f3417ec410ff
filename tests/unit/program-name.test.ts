import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { programName } from "../../server/program-name.ts";

const NPM = "npm run -s wishlist --";
const project = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url));

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "wishlist-link-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

test.each([
  ["the link of the container image", project("server/cli.ts"), "wishlist"],
  ["the link of systemd", project("ops/systemd/wishlist"), "wishlist"],
  ["a link into another installation", tmpdir(), NPM],
  ["a link to a file that is absent", project("server/absent.ts"), NPM],
])("messages name the program by %s", (_, target, expected) => {
  const link = path.join(folder, "wishlist");
  symlinkSync(target, link);
  expect(programName(link)).toBe(expected);
});

test("messages name npm's script without a link", () => {
  expect(programName(path.join(folder, "wishlist"))).toBe(NPM);
});
