import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { ignoreCodes } from "./postgres/errors.ts";

/** Secrets that the demo or the development server has generated for a data folder. */
export const localSecretsSchema = z.object({ TOKEN_SECRETS: z.string(), ENCRYPTION_KEYS: z.string() });
export type LocalSecrets = z.infer<typeof localSecretsSchema>;

export function localSecretsFile(dataDir: string): string {
  return path.join(dataDir, "secrets.json");
}

export async function readLocalSecretsFile(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch(ignoreCodes("ENOENT"));
}

/** Returns the secrets of a data folder, or undefined when it has none. */
export async function findLocalSecrets(dataDir: string): Promise<LocalSecrets | undefined> {
  const text = await readLocalSecretsFile(localSecretsFile(dataDir));
  if (text === undefined) return undefined;
  return localSecretsSchema.safeParse(JSON.parse(text)).data;
}
