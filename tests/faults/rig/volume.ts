import { open, mkdir, rm, statfs, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onEnd, runOrThrow } from "../../../bench/lifetime.ts";

const SIZE = 700 * 1024 * 1024;
const FILLER = "filler";

/** Creates a small file system in a file and mounts it. @returns undefined when this machine does not allow it */
export async function mountVolume(folder: string): Promise<string | undefined> {
  await mkdir(folder, { recursive: true });
  if (process.getuid?.() !== 0) return undefined;
  const image = `${folder}.ext4`;
  try {
    await writeFile(image, "");
    await truncate(image, SIZE);
    await runOrThrow("mkfs.ext4", ["-q", "-m", "0", image]);
    await runOrThrow("mount", ["-o", "loop", image, folder]);
  } catch {
    await rm(image, { force: true });
    return undefined;
  }
  onEnd(async () => {
    await runOrThrow("umount", [folder]);
  });
  return folder;
}

/** Uses up all free space of a volume. */
export async function fill(volume: string): Promise<void> {
  const { bavail, bsize } = await statfs(volume);
  const path = join(volume, FILLER);
  await runOrThrow("fallocate", ["--length", String(bavail * bsize), path]).catch(() => undefined);
  const file = await open(path, "a");
  const block = Buffer.alloc(bsize);
  try {
    for (;;) await file.appendFile(block);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  } finally {
    await file.close();
  }
}

/** Frees the space that `fill` has used up. */
export async function free(volume: string): Promise<void> {
  await rm(join(volume, FILLER), { force: true });
}
