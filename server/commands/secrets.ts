import path from "node:path";
import { Command } from "commander";
import { prisma } from "../../app/platform/database.server.ts";
import { env, readEncryptionKeys } from "../../app/platform/env.server.ts";
import { countSealed, resealColumn } from "../../app/platform/sealed-columns.server.ts";
import { SEALED } from "../../app/sealed.server.ts";
import { listShops } from "../../app/shops/index.server.ts";
import { knownLocalSecrets } from "../local-secrets.ts";
import { encryptionKeyId, jsonOption } from "./arguments.ts";
import { PROGRAM, Refusal, runs } from "./run.ts";
import { table } from "./table.ts";

type Ring = ReturnType<typeof readEncryptionKeys>;

/** The keys of the environment, or those that the demo has made for its data folder. */
async function keyRing(): Promise<Ring> {
  const local = await knownLocalSecrets(path.resolve(env().dataDir));
  return readEncryptionKeys(local?.ENCRYPTION_KEYS);
}

interface KeyUse {
  keyId: string;
  /** its place in ENCRYPTION_KEYS */
  state: "seals" | "opens" | "missing";
  sealed: Record<string, number>;
  total: number;
}

/** How much each key has sealed: every key of the ring, and every other that is in use. */
async function keyUses([first, ...rest]: Ring): Promise<KeyUse[]> {
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

/** Progress goes to standard error, so that standard output holds the result alone. */
function reportProgress(message: string): void {
  process.stderr.write(`${message}\n`);
}

export function secretsCommand(): Command {
  const secrets = new Command("secrets").description("show and retire encryption keys");

  secrets
    .command("status")
    .description("show how much each encryption key has sealed")
    .addOption(jsonOption())
    .action(
      runs("secrets status", async () => {
        const uses = await keyUses(await keyRing());
        return { json: uses, text: usesTable(uses) };
      }),
    );

  secrets
    .command("reseal")
    .description("seal everything again with the first key of ENCRYPTION_KEYS, so that the others can be removed")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
To replace a key:
  1. Add the new key behind the old one in ENCRYPTION_KEYS and restart every process: all of them can open what it seals.
  2. Put the new key first and restart every process.
  3. Run this command. It works beside running processes, and continues where an earlier run was interrupted.
  4. Remove the old key.`,
    )
    .action(
      runs("secrets reseal", async (options: { json?: boolean }) => {
        const ring = await keyRing();
        const shopIds = (await listShops()).map(({ id }) => id);
        let resealed = 0;
        let failed = 0;
        for (const column of SEALED) {
          const old = [...(await countSealed(column))].filter(([id]) => id !== ring[0].id);
          const all = old.reduce((sum, [, count]) => sum + count, 0);
          let done = 0;
          const onBatch = (count: number): void => {
            done += count;
            if (options.json !== true) reportProgress(`${column.holds}: ${done} of ${all}`);
          };
          const outcome = await resealColumn(column, { ring, shopIds, onBatch });
          resealed += outcome.resealed;
          failed += outcome.failed;
        }
        const uses = await keyUses(ring);
        const left = uses.filter(({ state, total }) => state !== "seals" && total > 0);
        const inUse = uses.filter(({ state, total }) => state === "seals" || total > 0).map(({ keyId }) => keyId);
        await prisma().sealingKey.deleteMany({ where: { keyId: { notIn: inUse } } });
        if (left.length > 0) {
          throw new Refusal(
            `${resealed} values were sealed again, ${left.reduce((sum, { total }) => sum + total, 0)} were not:\n${left
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
            removable.length === 0 ? "" : ` Nothing needs ${removable.join(", ")} any more.`
          }`,
        };
      }),
    );

  secrets
    .command("abandon")
    .description("let the service start without a lost key; what the key has sealed stays unreadable")
    .argument("<keyId>", "the id of the lost key", encryptionKeyId)
    .addOption(jsonOption())
    .action(
      runs("secrets abandon", async (keyId: string) => {
        const { count } = await prisma().sealingKey.deleteMany({ where: { keyId } });
        if (count === 0) {
          throw new Refusal(
            `No process has sealed with the key ${keyId}. \`${PROGRAM} secrets status\` shows the keys.`,
          );
        }
        return { json: { keyId, abandoned: true }, text: `The service starts without ${keyId} now.` };
      }),
    );

  return secrets;
}
