import { randomBytes } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { StartError } from "./fail.ts";
import { giveToFolderOwner, prepareDataFolder } from "./postgres/data-folder.ts";
import { unless } from "./postgres/errors.ts";

const schema = z.object({ TOKEN_SECRETS: z.string(), ENCRYPTION_KEYS: z.string() });

/**
 * Secrets for the demo and for development, made once and kept in the data folder. They belong to the data: what one run sealed, the next
 * must open. Production takes its secrets from the environment only.
 */
export async function localSecrets(dataDir: string): Promise<z.infer<typeof schema>> {
  const folder = await prepareDataFolder(dataDir);
  const file = path.join(folder, "secrets.json");
  const text = (await readSecrets(file)) ?? (await makeSecrets(folder, file));
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new StartError(`${file} is damaged; restore it, or delete ${folder} to start with an empty database`);
  }
}

/** The secrets that an earlier run has made for itself, if there are any. */
export async function knownLocalSecrets(dataDir: string): Promise<z.infer<typeof schema> | undefined> {
  const text = await readSecrets(path.join(dataDir, "secrets.json"));
  if (text === undefined) return undefined;
  return schema.safeParse(JSON.parse(text)).data;
}

async function readSecrets(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch(unless("ENOENT"));
}

/** Two first starts at once agree on the secrets of the one that comes first. */
async function makeSecrets(folder: string, file: string): Promise<string> {
  const secrets = {
    TOKEN_SECRETS: randomBytes(48).toString("base64url"),
    ENCRYPTION_KEYS: `local:${randomBytes(32).toString("base64")}`,
  };
  const text = JSON.stringify(secrets, null, 2) + "\n";
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, text, { mode: 0o600 });
  try {
    await giveToFolderOwner(folder, draft);
    await link(draft, file).catch(unless("EEXIST"));
  } finally {
    await rm(draft);
  }
  return (await readSecrets(file)) ?? text;
}
