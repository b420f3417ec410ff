import { execFile } from "node:child_process";
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { ENCRYPTION_KEY, TOKEN_SECRET } from "../support/app/service.ts";
import { killCommands, project, start } from "./fixtures/commands.ts";
import { freePort } from "../support/http/ports.ts";

const run = promisify(execFile);

const MEGABYTE = 1024 * 1024;

/** Packages that npm leaves out with --omit=dev are marked `dev`; `devOptional` packages are installed. */
const lockShape = z.object({
  packages: z.record(z.string(), z.object({ dev: z.boolean().default(false) })),
});

/** Packages for building, checks and tests, or bundled by the build. */
const DEVELOPMENT = ["prisma", "typescript", "vite", "oxlint", "@remix-run/dev", "@shopify/polaris", "recharts"];

let packages: z.infer<typeof lockShape>["packages"];
let database: TestDatabase;
/** a copy of the project with its build, and with the packages that `npm ci --omit=dev` installs */
let folder: string;

async function copyProduction(): Promise<void> {
  const installed = Object.entries(packages).filter(([place]) => place.startsWith("node_modules/"));
  for (const [place, { dev }] of installed) {
    // A nested package is copied with its parent.
    if (dev || place.includes("/node_modules/")) continue;
    if (!(await lstat(join(project, place)).catch(() => undefined))) continue;
    await mkdir(dirname(join(folder, place)), { recursive: true });
    await run("cp", ["-a", join(project, place), join(folder, place)]);
  }
  for (const [place, { dev }] of installed) if (dev) await rm(join(folder, place), { recursive: true, force: true });
  for (const part of ["app", "server", "prisma", "build", "package.json", "package-lock.json"]) {
    await cp(join(project, part), join(folder, part), { recursive: true });
  }
}

/** Node.js appears twice as links to one file. */
async function bytesOf(path: string, seen = new Set<number>()): Promise<number> {
  const stats = await lstat(path);
  if (!stats.isDirectory()) return seen.has(stats.ino) ? 0 : (seen.add(stats.ino), stats.size);
  let sum = 0;
  for (const name of await readdir(path)) sum += await bytesOf(join(path, name), seen);
  return sum;
}

beforeAll(async () => {
  packages = lockShape.parse(JSON.parse(await readFile(join(project, "package-lock.json"), "utf8"))).packages;
  database = await createDatabase();
  // Outside the project, so that its packages are not found.
  folder = await mkdtemp(join(tmpdir(), "wishlist-production-"));
  await copyProduction();
});
afterAll(async () => {
  await killCommands();
  await rm(folder, { recursive: true, force: true });
  await database.drop();
});

test("production installs no development packages", () => {
  const production = DEVELOPMENT.filter((name) => packages[`node_modules/${name}`]?.dev !== true);
  expect(production).toEqual([]);
});

test("the install script needs no development package and keeps production below 360 MB", async () => {
  await run(process.execPath, [join(folder, "server/prisma-client.ts")], { cwd: folder });
  expect((await bytesOf(join(folder, "node_modules"))) / MEGABYTE).toBeLessThan(360);
});

test("npm start applies migrations and serves pages with the packages of production", async () => {
  const port = await freePort();
  const env = {
    HOST: "127.0.0.1",
    PORT: String(port),
    PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
    DATABASE_URL: database.url,
    TOKEN_SECRETS: TOKEN_SECRET,
    ENCRYPTION_KEYS: ENCRYPTION_KEY,
    SHOPIFY_API_KEY: "9d3c51e07ab84f26",
    SHOPIFY_API_SECRET: "2f81b6c40de9573a1c6e8d9b04f7a253",
    SHOPIFY_APP_URL: "https://app.example.com",
  };
  const server = start("start", { env, cwd: folder });
  await server.says("listening");
  const statusOf = async (path: string): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: "manual" });
    await response.arrayBuffer();
    return response.status;
  };
  const [docs, document, admin] = await Promise.all(["/v1/docs", "/v1/openapi.json", "/app"].map(statusOf));
  expect([docs, document]).toEqual([200, 200]);
  expect(admin).toBeLessThan(500);
  // Polled, as a balancer does: a busy machine may keep the database from responding within a second.
  await expect.poll(() => statusOf("/readyz")).toBe(200);
  const created = await start("wishlist", { env, cwd: folder, args: ["shops", "create", "a.myshopify.com"] }).ended;
  expect(created).toMatchObject({ code: 0, stderr: "" });
  expect(await server.terminate()).toMatchObject({ code: 0 });
});
