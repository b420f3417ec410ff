// Chromium's headless shell from a package of npm. The package's own code unpacks to the shared folder of temporary files, and its libraries
// only on Amazon's servers, so this module reads the package's archives itself.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { findPackageJSON } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { z } from "zod";
import { runs } from "./programs.ts";
import { stubLibrary } from "./stub-library.ts";

const PACKAGE = path.dirname(findPackageJSON("@sparticuz/chromium", import.meta.url) ?? "");
const CACHE = fileURLToPath(new URL("../../../node_modules/.cache/chromium/", import.meta.url));
/** Unpacking takes seconds. What is older was interrupted, or belongs to another version. */
const LEFTOVER_AFTER = 10 * 60_000;

/**
 * The package's NSS library, which keeps certificates of a user in SQLite, is linked to it, and the package has no SQLite. NSS starts
 * without a user's certificates when SQLite can't open a database, as in a new home folder.
 */
const SQLITE = "libsqlite3.so.0";
const SQLITE_CANTOPEN = 14;
const SQLITE_FUNCTIONS = [
  "bind_blob",
  "bind_int",
  "bind_text",
  "busy_timeout",
  "close",
  "column_blob",
  "column_bytes",
  "column_count",
  "column_int",
  "column_name",
  "column_text",
  "exec",
  "file_control",
  "finalize",
  "free",
  "mprintf",
  "open_v2",
  "prepare_v2",
  "reset",
  "step",
  "temp_directory",
].map((name) => `sqlite3_${name}`);

const BLOCK = 512;
const packageJson = z.object({ version: z.string() });

// The package's libraries replace the system's, and its fonts are the only ones, so that pages look the same on each system.
const LAUNCHER = `#!/bin/sh
here=$(dirname "$(realpath "$0")")
export LD_LIBRARY_PATH="$here/lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/chromium" "$@"
`;
const FONT_SETTINGS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
</fontconfig>
`;

function decompress(file: string): Buffer {
  return brotliDecompressSync(readFileSync(path.join(PACKAGE, "bin", file)));
}

/** Writes the regular files of a tar archive (ustar, names without a prefix) into a folder. */
function extract(archive: Buffer, folder: string): void {
  const text = (from: number, length: number): string =>
    archive.toString("latin1", from, from + length).split("\0", 1)[0] ?? "";
  for (let header = 0; header < archive.length && text(header, 100) !== "";) {
    const size = Number.parseInt(text(header + 124, 12), 8);
    const content = header + BLOCK;
    if (text(header + 156, 1) === "0") {
      const file = path.join(folder, text(header, 100));
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, archive.subarray(content, content + size));
    }
    header = content + Math.ceil(size / BLOCK) * BLOCK;
  }
}

function removeLeftovers(cache: string): void {
  for (const name of readdirSync(cache)) {
    const place = path.join(cache, name);
    const { mtimeMs } = statSync(place, { throwIfNoEntry: false }) ?? { mtimeMs: Infinity };
    if (mtimeMs < Date.now() - LEFTOVER_AFTER) rmSync(place, { recursive: true, force: true });
  }
}

/** Unpacks into a folder of its own and then renames it, so that an interrupted or concurrent run leaves no incomplete browser. */
function unpack(folder: string): void {
  const cache = path.dirname(folder);
  mkdirSync(cache, { recursive: true });
  removeLeftovers(cache);
  const draft = mkdtempSync(path.join(cache, "unpacking-"));
  writeFileSync(path.join(draft, "chromium"), decompress("chromium.br"), { mode: 0o755 });
  // Chromium ends when its GPU process, which loads these libraries even to render in software, fails too often.
  extract(decompress("swiftshader.tar.br"), draft);
  extract(decompress("al2023.tar.br"), draft);
  writeFileSync(path.join(draft, "lib", SQLITE), stubLibrary(SQLITE, SQLITE_FUNCTIONS, SQLITE_CANTOPEN));
  extract(decompress("fonts.tar.br"), draft);
  writeFileSync(path.join(draft, "fonts.conf"), FONT_SETTINGS);
  writeFileSync(path.join(draft, "headless-shell"), LAUNCHER, { mode: 0o755 });
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true });
    // Another process was first.
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) throw error;
  }
}

/**
 * Returns the path of the headless shell that npm has installed. Unpacks it first if necessary, which takes two seconds.
 * @param cache folder for it and other versions
 * @returns undefined where the package has no browser that runs: it has one for Linux on x64, with glibc
 */
export function npmHeadlessShell(cache = CACHE): string | undefined {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  const { version } = packageJson.parse(JSON.parse(readFileSync(path.join(PACKAGE, "package.json"), "utf8")));
  const folder = path.join(cache, version);
  const launcher = path.join(folder, "headless-shell");
  if (statSync(launcher, { throwIfNoEntry: false }) === undefined) unpack(folder);
  return runs(launcher) ? launcher : undefined;
}
