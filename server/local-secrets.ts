import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";

const schema = z.object({ TOKEN_SECRETS: z.string(), ENCRYPTION_KEYS: z.string() });

/**
 * Secrets for the demo and for development, made once and kept in the data folder. They belong to the data: what one run sealed, the next
 * must open. Production takes its secrets from the environment only.
 */
export async function localSecrets(dataDir: string): Promise<z.infer<typeof schema>> {
  const file = path.join(dataDir, "secrets.json");
  try {
    return schema.parse(JSON.parse(await readFile(file, "utf8")));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) {
      throw new Error(`${file} can't be read; mend it, or delete it together with the data folder`, { cause: error });
    }
  }
  const secrets = {
    TOKEN_SECRETS: randomBytes(48).toString("base64url"),
    ENCRYPTION_KEYS: `local:${randomBytes(32).toString("base64")}`,
  };
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeFile(file, JSON.stringify(secrets, null, 2) + "\n", { mode: 0o600 });
  return secrets;
}
