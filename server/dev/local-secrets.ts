import { randomBytes } from "node:crypto";
import { link, rm, writeFile } from "node:fs/promises";
import { StartError } from "../fail.ts";
import { localSecretsFile, localSecretsSchema, readLocalSecretsFile, type LocalSecrets } from "../local-secrets.ts";
import { giveToFolderOwner, prepareDataFolder } from "../postgres/data-folder.ts";
import { unless } from "../postgres/errors.ts";

/**
 * Returns the secrets for the demo and for development, generated once and kept in the data folder: what one run has encrypted, the next
 * must decrypt. Production takes its secrets from the environment only.
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

/** Generates the file. Of two first starts at once, both use the secrets of the one that links its file first. */
async function generateSecrets(folder: string, file: string): Promise<string> {
  const secrets: LocalSecrets = {
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
  return (await readLocalSecretsFile(file)) ?? text;
}
