import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MATRIX } from "../support/matrix.ts";
import { freePort } from "../support/http/ports.ts";
import { killCommands, nothingLeft, start, type Command } from "./fixtures/commands.ts";
import { newDataDir, removeDataDirs } from "./fixtures/data-folders.ts";

const ADDRESS = "http://127.0.0.1:5173";
const READY = "Ctrl-C stops it";

/** The data folder of all tests, so that only the first start creates and fills the database. */
let dataDir: string;

beforeAll(async () => {
  ({ dataDir } = await newDataDir());
});

afterAll(async () => {
  await killCommands();
  await removeDataDirs();
});

async function startExample(): Promise<Command> {
  return start("example", { env: { DATA_DIR: dataDir, PORT: String(await freePort()) } });
}

test("the example starts with a demo, which Ctrl-C stops as well", async () => {
  const example = await startExample();
  await example.says(READY);
  expect(await (await fetch(ADDRESS)).text()).toContain('<div id="root">');
  expect(await example.ctrlC()).toMatchObject({ code: 0, stderr: "" });
  await nothingLeft(dataDir);
});

test("the example uses a demo that runs already, and leaves it running", MATRIX, async () => {
  const env = { DATA_DIR: dataDir, PORT: String(await freePort()) };
  const demo = start("demo", { env });
  await demo.says("Ctrl-C stops everything");
  const example = await startExample();
  await example.says(READY);
  expect(example.output()).not.toContain("Wishlist Headless demo");
  await example.ctrlC();
  expect(await fetch(`http://127.0.0.1:${env.PORT}/readyz`)).toMatchObject({ status: 200 });
  await demo.ctrlC();
  await nothingLeft(dataDir);
});

test("the example says that its port is in use, and starts nothing", MATRIX, async () => {
  const other = createServer().listen(5173, "127.0.0.1");
  await once(other, "listening");
  const { code, stderr } = await (await startExample()).ended;
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining("Port 5173 is in use; stop that program."),
  });
  await nothingLeft(dataDir);
  other.close();
});
