import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { readDataFolder } from "../../server/status/data-folder.ts";
import { launch, type Launched } from "../support/app/launch.ts";
import { METRICS_TOKEN, scrape, valueOf } from "../support/app/metrics.ts";
import { ENCRYPTION_KEY, TOKEN_SECRET } from "../support/app/service.ts";
import { until } from "../support/until.ts";
import { cli, killCommands } from "./fixtures/commands.ts";
import { newDatabase, removeDataDirs } from "./fixtures/data-folders.ts";
import { MATRIX } from "../support/matrix.ts";

const DAY = 86_400;

let env: { DATA_DIR: string };
let file: string;
let launched: Launched;
let url: string;
/** the status before and after the only backup */
let withoutBackup: { json: z.infer<typeof reported>; text: string };
let withBackup: z.infer<typeof reported>;

/** Starts a production process on its embedded database, and makes a backup that is a day old. */
beforeAll(async () => {
  const made = await newDatabase();
  file = path.join(made.parent, "wishlist.zip");
  env = { DATA_DIR: made.dataDir };
  launched = launch({
    ...env,
    HOST: "127.0.0.1",
    PORT: "0",
    TOKEN_SECRETS: TOKEN_SECRET,
    ENCRYPTION_KEYS: ENCRYPTION_KEY,
    METRICS_TOKEN,
  });
  url = await until("the service", () => {
    const [, port] = /"port":(\d+),"msg":"listening"/.exec(launched.stdout()) ?? [];
    return port === undefined ? undefined : `http://127.0.0.1:${port}`;
  });
  withoutBackup = { json: await status(), text: (await cli(env, "status")).stdout };
  const { code, stderr } = await cli(env, "database", "backup", file);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  await backDate(DAY);
  withBackup = await status();
});
afterAll(async () => {
  launched.child.kill("SIGTERM");
  await launched.ended;
  await killCommands();
  await removeDataDirs();
});

const reported = z.object({
  problems: z.array(z.object({ alert: z.string(), message: z.string() })),
  dataFolder: z.object({ backup: z.string().optional(), backupSeconds: z.number(), usedRatio: z.number() }),
});

async function status(): Promise<z.infer<typeof reported>> {
  const { stdout } = await cli(env, "status", "--json");
  return reported.parse(JSON.parse(stdout));
}

/** Sets the time of the last backup. */
async function backDate(seconds: number): Promise<void> {
  const last = path.join(env.DATA_DIR, "last-backup.json");
  const record = z.object({ at: z.string(), file: z.string() }).parse(JSON.parse(await readFile(last, "utf8")));
  await writeFile(last, JSON.stringify({ ...record, at: new Date(Date.now() - seconds * 1_000).toISOString() }));
}

test("an embedded database without a backup says so", () => {
  expect(withoutBackup.json.dataFolder.backup).toBeUndefined();
  expect(withoutBackup.text).toMatch(/^Last backup {3}never$/m);
});

test("a backup of the embedded database is recorded, and reported by status and metrics", async () => {
  expect(withBackup.dataFolder.backup).toBe(file);
  expect(withBackup.problems.map(({ alert }) => alert)).not.toContain("WishlistBackupOld");
  const samples = await scrape({ url });
  expect(valueOf(samples, "wishlist_backup_age_seconds")).toBeGreaterThanOrEqual(DAY);
  expect(valueOf(samples, "wishlist_data_disk_used_ratio")).toBeGreaterThan(0);
});

test("a backup that is older than a day and a half is a problem", async () => {
  await backDate(2 * DAY);
  expect((await status()).problems).toContainEqual({
    alert: "WishlistBackupOld",
    message: "The last backup was made 2 days ago.",
  });
});

test("a damaged record of the last backup is a problem and hides nothing else", MATRIX, async () => {
  const record = path.join(env.DATA_DIR, "last-backup.json");
  await writeFile(record, "{}");
  const { code, stdout, stderr } = await cli(env, "status");
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  expect(stdout).toMatch(new RegExp(`^Last backup {3}unknown: ${record} is damaged$`, "m"));
  expect(stdout).toMatch(/^Disk {10}\d/m);
  expect((await status()).problems).toContainEqual({
    alert: "WishlistBackupOld",
    message: `The last backup is unknown: ${record} is damaged.`,
  });
  // What the metrics read.
  expect(await readDataFolder(env.DATA_DIR)).toMatchObject({ backupSeconds: expect.any(Number) });
});

test("a backup that cannot be recorded succeeds with a warning and leaves no draft", MATRIX, async () => {
  const record = path.join(env.DATA_DIR, "last-backup.json");
  await rm(record);
  await mkdir(record);
  const unrecorded = path.join(path.dirname(file), "unrecorded.zip");
  const { code, stdout, stderr } = await cli(env, "database", "backup", unrecorded, "--json");
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ file: unrecorded });
  expect(stderr).toMatch(/^The backup is complete, but .+ cannot be recorded in DATA_DIR \(EISDIR: .+\)\.\n$/);
  expect((await readdir(env.DATA_DIR)).filter((name) => name.endsWith(".new"))).toEqual([]);
});
