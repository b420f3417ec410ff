import { randomBytes } from "node:crypto";
import { link, rm, writeFile } from "node:fs/promises";
import { StartError } from "../fail.ts";
import { localSecretsFile, localSecretsSchema, readLocalSecretsFile, type LocalSecrets } from "../local-secrets.ts";
import { chownToFolderOwner, prepareDataFolder } from "../postgres/data-folder.ts";
import { ignoreCodes } from "../postgres/errors.ts";

/**
 * Returns the secrets for the demo and for development. They are generated once and kept in the data folder, because the next run must
 * decrypt what this one encrypts. Production takes its secrets from the environment only.
 */
export async function localSecrets(dataDir: string): Promise<LocalSecrets> {
  const folder = await prepareDataFolder(dataDir);
  const file = localSecretsFile(folder);
  const text = (await readLocalSecretsFile(file)) ?? (await generateSecrets(folder, file));
  try {
    return localSecretsSchema.parse(JSON.parse(text));
  } catch {
    throw new StartError(`${file} is damaged; restore it, or delete ${folder} to start with an empty database`);
  }
}

/** Generates the file. Two concurrent first starts both use the secrets of the one that links its file first. */
async function generateSecrets(folder: string, file: string): Promise<string> {
  const secrets: LocalSecrets = {
    TOKEN_SECRETS: randomBytes(48).toString("base64url"),
    ENCRYPTION_KEYS: `local:${randomBytes(32).toString("base64")}`,
  };
  const text = JSON.stringify(secrets, null, 2) + "\n";
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, text, { mode: 0o600 });
  try {
    await chownToFolderOwner(folder, draft);
    await link(draft, file).catch(ignoreCodes("EEXIST"));
  } finally {
    await rm(draft);
  }
  return (await readLocalSecretsFile(file)) ?? text;
}
