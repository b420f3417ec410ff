import path from "node:path";
import { Command } from "commander";
import { prisma } from "../../app/platform/database/database.server.ts";
import { env, readEncryptionKeys } from "../../app/platform/process/env.server.ts";
import { countSealed, resealColumn } from "../../app/platform/encryption/sealed-columns.server.ts";
import { SEALED } from "../../app/sealed.server.ts";
import { listShops } from "../../app/shops/index.server.ts";
import { findLocalSecrets } from "../local-secrets.ts";
import { PROGRAM } from "../program-name.ts";
import { parseEncryptionKeyId, jsonOption } from "./arguments.ts";
import { Refusal } from "./refusal.ts";
import { databaseCommand, type Output } from "./run.ts";
import { table } from "./table.ts";

type EncryptionKeys = ReturnType<typeof readEncryptionKeys>;

/** Returns the encryption keys of the environment, or those that the demo has generated for its data folder. */
async function configuredKeys(): Promise<EncryptionKeys> {
  const local = await findLocalSecrets(path.resolve(env().dataDir));
  return readEncryptionKeys(local?.ENCRYPTION_KEYS);
}

interface KeyUse {
  keyId: string;
  /** its role in ENCRYPTION_KEYS */
  state: "seals" | "opens" | "missing";
  sealed: Record<string, number>;
  total: number;
}

/** Counts the sealed values of each configured key and of every other key in use. */
async function keyUses([first, ...rest]: EncryptionKeys): Promise<KeyUse[]> {
  const uses = new Map<string, KeyUse>();
  const useOf = (keyId: string, state: KeyUse["state"]): KeyUse => {
    const use = uses.get(keyId) ?? { keyId, state, sealed: {}, total: 0 };
    uses.set(keyId, use);
    return use;
  };
  useOf(first.id, "seals");
  for (const { id } of rest) useOf(id, "opens");
  for (const column of SEALED) {
    for (const [keyId, count] of await countSealed(column)) {
      const use = useOf(keyId, "missing");
      use.sealed[column.holds] = count;
      use.total += count;
    }
  }
  return [...uses.values()];
}

const STATES = {
  seals: "first: seals and opens",
  opens: "opens",
  missing: "not in ENCRYPTION_KEYS",
};

function describeUse({ sealed }: KeyUse): string {
  const parts = Object.entries(sealed).map(([holds, count]) => `${holds} (${count})`);
  return parts.length === 0 ? "nothing" : parts.join(", ");
}

function usesTable(uses: readonly KeyUse[]): string {
  return table(
    ["KEY", "STATE", "HAS SEALED"],
    uses.map((use) => [use.keyId, STATES[use.state], describeUse(use)]),
  );
}

/** Prints progress to standard error, so that standard output has the result only. */
function reportProgress(message: string): void {
  process.stderr.write(`${message}\n`);
}

/** Seals all values with the first key. @returns the numbers of resealed and failed values */
async function resealAll(
  ring: EncryptionKeys,
  onProgress: (message: string) => void,
): Promise<{ resealed: number; failed: number }> {
  const shopIds = (await listShops()).map(({ id }) => id);
  let resealed = 0;
  let failed = 0;
  for (const column of SEALED) {
    const old = [...(await countSealed(column))].filter(([id]) => id !== ring[0].id);
    const all = old.reduce((sum, [, count]) => sum + count, 0);
    let done = 0;
    const onBatch = (count: number): void => {
      done += count;
      onProgress(`${column.holds}: ${done} of ${all}`);
    };
    const outcome = await resealColumn(column, { ring, shopIds, onBatch });
    resealed += outcome.resealed;
    failed += outcome.failed;
  }
  return { resealed, failed };
}

async function reseal(options: { json?: boolean }): Promise<Output> {
  const ring = await configuredKeys();
  const onProgress = options.json === true ? () => undefined : reportProgress;
  const { resealed, failed } = await resealAll(ring, onProgress);
  const uses = await keyUses(ring);
  const remaining = uses.filter(({ state, total }) => state !== "seals" && total > 0);
  const inUse = uses.filter(({ state, total }) => state === "seals" || total > 0).map(({ keyId }) => keyId);
  await prisma().sealingKey.deleteMany({ where: { keyId: { notIn: inUse } } });
  if (remaining.length > 0) {
    throw new Refusal(
      `${resealed} values were sealed again, ${remaining.reduce((sum, { total }) => sum + total, 0)} were not:\n${remaining
        .map((use) => `  - ${use.keyId} (${STATES[use.state]}) has sealed: ${describeUse(use)}`)
        .join("\n")}\n${
        failed > 0
          ? "Add missing keys to ENCRYPTION_KEYS and run the command again."
          : "A process still seals with an old key. Put the new key first everywhere, and run the command again."
      }`,
    );
  }
  const removable = ring.slice(1).map(({ id }) => id);
  return {
    json: { keyId: ring[0].id, resealed, removable },
    text: `Sealed ${resealed} values again with ${ring[0].id}.${
      removable.length === 0 ? "" : ` No value needs ${removable.join(", ")} any more.`
    }`,
  };
}

function addStatus(secrets: Command): void {
  secrets
    .command("status")
    .description("count the sealed values of each encryption key")
    .addOption(jsonOption())
    .action(
      databaseCommand("secrets status", async () => {
        const uses = await keyUses(await configuredKeys());
        return { json: uses, text: usesTable(uses) };
      }),
    );
}

function addReseal(secrets: Command): void {
  secrets
    .command("reseal")
    .description("seal all values again with the first key of ENCRYPTION_KEYS, so that the others can be removed")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
To replace a key:
  1. Add the new key behind the old one in ENCRYPTION_KEYS and restart every process, so that all of them can open its values.
  2. Put the new key first and restart every process.
  3. Run this command. It works beside running processes and continues an interrupted run.
  4. Remove the old key.`,
    )
    .action(databaseCommand("secrets reseal", reseal));
}

function addAbandon(secrets: Command): void {
  secrets
    .command("abandon")
    .description("let the service start without a lost key; the values that it has sealed stay unreadable")
    .argument("<keyId>", "the id of the lost key", parseEncryptionKeyId)
    .addOption(jsonOption())
    .action(
      databaseCommand("secrets abandon", async (keyId: string) => {
        const { count } = await prisma().sealingKey.deleteMany({ where: { keyId } });
        if (count === 0) {
          throw new Refusal(
            `No process has sealed with the key ${keyId}. \`${PROGRAM} secrets status\` lists the keys.`,
          );
        }
        return { json: { keyId, abandoned: true }, text: `The service now starts without ${keyId}.` };
      }),
    );
}

export function secretsCommand(): Command {
  const secrets = new Command("secrets").description("show, replace and abandon encryption keys");
  addStatus(secrets);
  addReseal(secrets);
  addAbandon(secrets);
  return secrets;
}
