import { Writable, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { text } from "node:stream/consumers";
import { openPromise, type Entry, type ZipFile } from "yauzl";
import { Refusal } from "../commands/refusal.ts";
import {
  FORMAT,
  MANIFEST_ENTRY,
  manifestSchema,
  tableEntry,
  TASKS_ENTRY,
  type Content,
  type Manifest,
} from "./manifest.ts";
import { Meter } from "./meter.ts";

/** A backup file that is open for reading. */
export interface ArchiveReader {
  manifest: Manifest;
  /** size of the file */
  bytes: number;
  /**
   * Streams an entry into a sink and compares it with the manifest.
   * @throws Refusal when it is damaged; the sink has then received a part of it, or all
   */
  read: (name: string, expected: Content, sink: Writable, onProgress?: (meter: Meter) => void) => Promise<void>;
  close: () => void;
}

async function openZip(file: string): Promise<ZipFile> {
  try {
    return await openPromise(file, { autoClose: false, lazyEntries: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal(`The file ${file} cannot be read as a backup (${reason}). An interrupted copy is not complete.`);
  }
}

async function readEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  return entries;
}

function parseManifest(file: string, json: string): Manifest {
  const content: unknown = JSON.parse(json);
  if (typeof content === "object" && content !== null && "format" in content && Number(content.format) > FORMAT) {
    const release = "release" in content ? ` (${String(content.release)})` : "";
    throw new Refusal(
      `The backup ${file} was written by a newer release${release}. Restore it with that release or a later one.`,
    );
  }
  const { data, error } = manifestSchema.safeParse(content);
  if (data) return data;
  const [issue] = error.issues;
  throw new Refusal(
    `The backup ${file} is damaged: ${MANIFEST_ENTRY} has another shape (${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}).`,
  );
}

/** @throws Refusal when an entry is missing, or one is there that the manifest does not name */
function checkNames(file: string, { tables }: Manifest, entries: ReadonlyMap<string, Entry>): void {
  const expected = new Set([MANIFEST_ENTRY, TASKS_ENTRY, ...tables.map(({ name }) => tableEntry(name))]);
  const missing = [...expected].filter((name) => !entries.has(name));
  const unknown = [...entries.keys()].filter((name) => !expected.has(name));
  if (missing.length > 0) throw new Refusal(`The backup ${file} is damaged: ${missing.join(", ")} is missing.`);
  if (unknown.length > 0)
    throw new Refusal(`The backup ${file} is damaged: its manifest does not name ${unknown.join(", ")}.`);
}

/** Opens a backup and reads its manifest. @throws Refusal when it is not a backup, damaged, or of a newer release */
export async function openArchive(file: string): Promise<ArchiveReader> {
  const zip = await openZip(file);
  const damaged = (reason: string): Refusal => new Refusal(`The backup ${file} is damaged: ${reason}.`);
  try {
    const entries = await readEntries(zip);
    const stream = async (name: string): Promise<{ entry: Entry; source: Readable }> => {
      const entry = entries.get(name);
      if (!entry) throw damaged(`${name} is missing`);
      return { entry, source: await zip.openReadStreamPromise(entry) };
    };
    const manifestText = new Meter();
    const { entry: manifestEntry, source } = await stream(MANIFEST_ENTRY);
    const [json] = await Promise.all([text(manifestText), pipeline(source, manifestText)]);
    if (manifestText.crc !== manifestEntry.crc32) throw damaged(`${MANIFEST_ENTRY} has another checksum`);
    const manifest = parseManifest(file, json);
    checkNames(file, manifest, entries);
    return {
      manifest,
      bytes: zip.fileSize,
      async read(name, expected, sink, onProgress) {
        const { entry, source: content } = await stream(name);
        const meter = new Meter(onProgress);
        content.once("error", (error) => meter.destroy(damaged(`${name} cannot be read (${error.message})`)));
        await pipeline(content.pipe(meter), sink);
        const { rows, bytes, sha256 } = meter.content();
        if (meter.crc !== entry.crc32 || sha256 !== expected.sha256) throw damaged(`${name} has another checksum`);
        if (rows !== expected.rows || bytes !== expected.bytes)
          throw damaged(`${name} has ${rows} rows instead of ${expected.rows}`);
      },
      close: () => {
        zip.close();
      },
    };
  } catch (error) {
    zip.close();
    if (error instanceof Refusal) throw error;
    throw damaged(error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error));
  }
}

/** Reads every entry to its end. @throws Refusal when the file is damaged */
export async function verifyArchive(
  { manifest, read }: ArchiveReader,
  onProgress: (name: string, meter: Meter) => void,
): Promise<void> {
  const discard = (): Writable =>
    new Writable({
      write(_chunk, _encoding, done) {
        done();
      },
    });
  for (const table of manifest.tables) {
    await read(tableEntry(table.name), table, discard(), (meter) => {
      onProgress(table.name, meter);
    });
  }
  await read(TASKS_ENTRY, manifest.tasks, discard());
}
