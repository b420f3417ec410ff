import { rmSync } from "node:fs";
import { open, rename, rm, stat, type FileHandle } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import { Refusal } from "../commands/refusal.ts";
import { errorCode } from "../postgres/errors.ts";
import type { Content } from "./manifest.ts";
import { Meter } from "./meter.ts";

/** The fastest level: the others take two to six times as long for a file that is at most a fifth smaller. */
const COMPRESSION_LEVEL = 1;

/** A zip file that appears under its name only when it is complete and on disk. */
export interface ArchiveWriter {
  /** Writes a stream as an entry. */
  addStream: (name: string, source: Readable, onProgress: (meter: Meter) => void) => Promise<Content>;
  /** Writes the last entry and gives the file its name. @returns its size */
  finish: (name: string, text: string) => Promise<number>;
  /** Removes what was written. */
  discard: () => Promise<void>;
}

async function identity(file: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined);
  return found && `${found.dev} ${found.ino}`;
}

/** @throws Refusal when the file exists and may not be replaced, or its folder does not exist */
async function checkTarget(file: string, replace: boolean): Promise<void> {
  const existing = await stat(file).catch(() => undefined);
  if (existing?.isDirectory() === true) throw new Refusal(`${file} is a folder. Name a file.`);
  if (existing && !replace)
    throw new Refusal(`The file ${file} exists. Choose another name, or replace it with --force.`);
}

async function openDraft(draft: string): Promise<FileHandle> {
  try {
    // What an interrupted backup has left.
    await rm(draft, { force: true });
    return await open(draft, "wx", 0o600);
  } catch (error) {
    throw new Refusal(
      `The file ${draft} cannot be written (${errorCode(error)}). Choose a folder that exists and is writable.`,
    );
  }
}

/**
 * Creates the file at `file`.part, which `finish` renames.
 * @throws Refusal when it cannot be created
 */
export async function createArchive(file: string, { replace }: { replace: boolean }): Promise<ArchiveWriter> {
  await checkTarget(file, replace);
  const draft = `${file}.part`;
  const handle = await openDraft(draft);
  const { dev, ino } = await handle.stat();
  const ours = `${dev} ${ino}`;
  const removeAtExit = (): void => {
    rmSync(draft, { force: true });
  };
  process.once("exit", removeAtExit);
  const zip = new ZipFile();
  // Closes the handle after it has flushed the file to disk.
  const sink = handle.createWriteStream({ flush: true, highWaterMark: 1 << 20 });
  const stopping = new AbortController();
  const written = pipeline(zip.outputStream, sink, { signal: stopping.signal }).catch((error: unknown) => {
    throw new Refusal(
      `The file ${draft} cannot be written (${errorCode(error)}). Make room on its disk, or choose another.`,
    );
  });
  written.catch(() => undefined);
  const zipFailed = new Promise<never>((_resolve, reject) => zip.once("error", reject));
  zipFailed.catch(() => undefined);

  return {
    async addStream(name, source, onProgress) {
      const meter = new Meter(onProgress);
      source.once("error", (error) => meter.destroy(error));
      source.pipe(meter);
      zip.addReadStream(meter, name, { compressionLevel: COMPRESSION_LEVEL, forceZip64Format: true, mode: 0o100600 });
      await Promise.race([finished(meter), written, zipFailed]);
      return meter.content();
    },
    async finish(name, text) {
      zip.addBuffer(Buffer.from(text), name, { mode: 0o100600 });
      zip.end();
      await Promise.race([written, zipFailed]);
      const { size } = await stat(draft);
      await checkTarget(file, replace);
      if ((await identity(draft)) !== ours)
        throw new Refusal(`Another backup has replaced ${draft}. Give each its own file.`);
      await rename(draft, file);
      process.off("exit", removeAtExit);
      const folder = await open(path.dirname(path.resolve(file)));
      try {
        await folder.sync();
      } finally {
        await folder.close();
      }
      return size;
    },
    async discard() {
      stopping.abort();
      await written.catch(() => undefined);
      if ((await identity(draft)) === ours) await rm(draft, { force: true });
      process.off("exit", removeAtExit);
    },
  };
}
