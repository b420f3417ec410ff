import { closeDatabase } from "../app/platform/database/database.server.ts";
import { provideSettings, secrets } from "../app/platform/process/env.server.ts";
import { countSealed } from "../app/platform/encryption/sealed-columns.server.ts";
import { recordSealingKey, unknownSealingKeys } from "../app/platform/encryption/sealing-keys.server.ts";
import { StartError } from "./fail.ts";
import { PROGRAM } from "./program-name.ts";

/**
 * Checks that ENCRYPTION_KEYS has every key in use, then records the key with which this process seals. Sealed values are counted only
 * when a recorded key is missing, so that large tables do not delay a start.
 * @throws StartError that names each missing key and the values that it has sealed; then nothing is recorded
 */
export async function checkSealingKeys(databaseUrl: string): Promise<void> {
  const { encryptionKeys } = secrets();
  const missing = await unknownSealingKeys(
    databaseUrl,
    encryptionKeys.map(({ id }) => id),
  );
  const uses = missing.length === 0 ? [] : await usesOf(missing, databaseUrl);
  if (uses.length > 0) throw keysInUse(uses);
  await recordSealingKey(databaseUrl, encryptionKeys[0].id);
}

function keysInUse(uses: readonly string[]): StartError {
  return new StartError(
    `ENCRYPTION_KEYS lacks keys that are still in use:\n${uses.map((line) => `  - ${line}`).join("\n")}
Add each of them behind the first key and run \`${PROGRAM} secrets reseal\` before you remove it.
If a key is lost, \`${PROGRAM} secrets abandon <keyId>\` lets the service start without the values that it has sealed.`,
  );
}

/** Describes in one line per key which values, and how many, it has sealed. */
async function usesOf(keyIds: readonly string[], databaseUrl: string): Promise<string[]> {
  // Imported here, because only a missing key requires loading the features.
  const { SEALED } = await import("../app/sealed.server.ts");
  provideSettings({ DATABASE_URL: databaseUrl });
  const found = new Map<string, string[]>();
  for (const column of SEALED) {
    const counts = await countSealed(column);
    for (const id of keyIds) {
      const count = counts.get(id) ?? 0;
      if (count > 0) found.set(id, [...(found.get(id) ?? []), `${column.holds} (${count})`]);
    }
  }
  await closeDatabase();
  return [...found].map(([id, holds]) => `${id} has sealed: ${holds.join(", ")}`);
}
