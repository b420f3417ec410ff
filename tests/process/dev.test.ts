import { chmod, mkdtemp, readFile, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MATRIX } from "../support/matrix.ts";
import { client, type ApiResponse } from "../support/app/client.ts";
import { until } from "../support/until.ts";
import { type Command, killCommands, nothingLeft, start } from "./fixtures/commands.ts";
import { freePort } from "../support/http/ports.ts";
import { newDatabase, removeDataDirs, serverPid } from "./fixtures/data-folders.ts";
import { copyProject, removeProject } from "./fixtures/project-copy.ts";

let cwd: string;
let dataDir: string;
let dev: Command;
let url: string;

beforeAll(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), "wishlist-project-")));
  await chmod(cwd, 0o755);
  await copyProject(cwd);
  ({ dataDir } = await newDatabase());
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  dev = start("dev", { env: { DATA_DIR: dataDir, PORT: String(port) }, cwd });
  await dev.says(`Listening on ${url}`);
});

afterAll(async () => {
  await killCommands();
  await removeDataDirs();
  await removeProject(cwd);
});

function get(path: string): Promise<ApiResponse> {
  return client(url)("GET", path);
}

/** Changes a source of the copy. @returns how to put it back */
async function edit(file: string, from: string, to: string): Promise<() => Promise<void>> {
  const path = join(cwd, file);
  const source = await readFile(path, "utf8");
  if (!source.includes(from)) throw new Error(`${file} has no ${from}`);
  await writeFile(path, source.replace(from, to));
  return () => writeFile(path, source);
}

describe("npm run dev", () => {
  test("serves the API from its sources with an embedded database", async () => {
    expect((await get("/healthz")).text).toBe("ok\n");
    expect((await get("/readyz")).status).toBe(200);
    expect((await get("/v1/wishlists/x")).error().code).toBe("missing_token");
  });

  test("serves an edited route", MATRIX, async () => {
    const undo = await edit("app/routes/healthz.ts", '"ok\\n"', '"edited\\n"');
    await until("the edit of a route", async () => (await get("/healthz")).text === "edited\n");
    await undo();
    await until("the edit's end", async () => (await get("/healthz")).text === "ok\n");
  });

  test("stays ready after an edit of a module that all others import", MATRIX, async () => {
    const undo = await edit("app/access/failures.ts", "Send the access token as", "Please send the access token as");
    const message = async (): Promise<string> => (await get("/v1/wishlists/x")).error().message;
    await until("the edit of a feature", async () => (await message()).startsWith("Please"));
    expect((await get("/readyz")).status).toBe(200);
    await undo();
    await until("the edit's end", async () => !(await message()).startsWith("Please"));
  });

  test("reports a syntax error and recovers when it is corrected", MATRIX, async () => {
    const undo = await edit("app/routes/healthz.ts", "export function loader", "export function function loader");
    const broken = await until("the broken source", async () => {
      const response = await get("/healthz");
      return response.status === 500 && response;
    });
    expect(broken.text).toContain("healthz.ts");
    expect(dev.output()).toContain("healthz.ts");
    await undo();
    await until("the mended source", async () => (await get("/healthz")).text === "ok\n");
  });

  test("leaves no process behind after Ctrl-C", async () => {
    expect(await dev.ctrlC()).toMatchObject({ code: 0 });
    await nothingLeft(dataDir);
    expect(await serverPid(dataDir)).toBeUndefined();
  });
});
