import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { hostname } from "node:os";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const writer = fileURLToPath(new URL("../../app/platform/log/line-writer.server.ts", import.meta.url));
const logger = fileURLToPath(new URL("../../app/platform/log/log.server.ts", import.meta.url));
const consoleLogger = fileURLToPath(new URL("../../app/platform/log/console.server.ts", import.meta.url));
const commands = fileURLToPath(new URL("../../server/commands/run.ts", import.meta.url));
const LINES = 30_000;

/** A process that writes numbered lines of a few dozen characters and then ends in a certain way. */
function writeLines(lines: number, end: string): ChildProcess & { stdout: NonNullable<ChildProcess["stdout"]> } {
  const script = `
    import { lineWriter } from ${JSON.stringify(writer)};
    const { write, flush } = lineWriter(1);
    for (let n = 0; n < ${lines}; n++) write(n + " ${"·".repeat(20)}\\n");
    ${end}`;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return child;
}

async function readNumbers(stream: NodeJS.ReadableStream): Promise<number[]> {
  let text = "";
  stream.setEncoding("utf8");
  for await (const part of stream) text += String(part);
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => Number(/^(\d+) ·{20}$/.exec(line)?.[1]));
}

const numbers = Array.from({ length: LINES }, (_, n) => n);

test.each([
  ["ends by itself", ""],
  ["calls process.exit", "process.exit(0);"],
  [
    "fails",
    "process.exitCode = 0; setImmediate(() => { throw new Error('on purpose'); }); process.on('uncaughtException', () => process.exit(0));",
  ],
  ["is killed after a flush", "await flush(); process.kill(process.pid, 'SIGKILL');"],
])("all log lines are written in order when the process %s", async (_how, end) => {
  expect(await readNumbers(writeLines(LINES, end).stdout)).toEqual(numbers);
});

test("log lines are written while the process runs", async () => {
  const child = writeLines(3, "setInterval(() => undefined, 1_000);");
  let text = "";
  child.stdout.setEncoding("utf8");
  for await (const part of child.stdout) {
    text += String(part);
    if (text.split("\n").length === 4) break;
  }
  expect(text).toMatch(/^0 ·+\n1 ·+\n2 ·+\n$/);
  child.kill("SIGKILL");
});

test.each([
  ["ends by itself", ""],
  ["calls process.exit", "process.exit(0);"],
  ["flushes", "await flush(); process.exit(0);"],
])("a closed log reader does not block a process that %s", async (_how, end) => {
  const child = writeLines(LINES, end);
  child.stdout.destroy();
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("a thrown value that is not an Error is logged with its content", async () => {
  const script = `
    import { flushLog, log } from ${JSON.stringify(logger)};
    for (const err of [new Response(null, { status: 502 }), { status: 401 }, { message: "why" }, { a: 1 }, null, "text"]) {
      log.warn({ err }, "thrown");
    }
    await flushLog();`;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8");
  for await (const part of child.stdout) text += String(part);
  const messages = text
    .trim()
    .split("\n")
    .map((line) => /"err":\{"message":"([^"]*)"/.exec(line)?.[1]);
  const responded = ["a response with status 502", "a response with status 401"];
  expect(messages).toEqual([...responded, "why", "an object of Object", "null", "text"]);
});

test("what libraries print to the console and Node.js' warnings are lines of the log", () => {
  const script = `
    import { logConsole } from ${JSON.stringify(consoleLogger)};
    logConsole();
    console.log("found %d", 3);
    console.warn("[WARN] careful");
    console.error("failed", new Error("why"));
    process.emitWarning("a deprecated call");`;
  const args = ["--input-type=module-typescript", "--eval", script];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(stderr).toBe("");
  const entries = stdout.split("\n").filter((line) => line !== "");
  expect(entries.map((line): unknown => JSON.parse(line))).toMatchObject([
    { level: "info", msg: "found 3" },
    { level: "warn", msg: "[WARN] careful" },
    { level: "error", msg: expect.stringMatching(/^failed Error: why\n/) },
    { level: "warn", msg: "a warning of Node.js", err: { message: "a deprecated call" } },
  ]);
});

test.each([
  ["worker", `log.info({}, "a line");`],
  // A command on another database than the embedded one opens it itself.
  ["command", `await withDatabase("a command", async () => log.info({}, "a line"));`],
])("a line names role, pid and instance of a process with the role %s", (role, code) => {
  const script = `
    import { log } from ${JSON.stringify(logger)};
    import { withDatabase } from ${JSON.stringify(commands)};
    ${code}`;
  const { stdout, pid } = spawnSync(process.execPath, ["--input-type=module-typescript", "--eval", script], {
    encoding: "utf8",
    env: { ...process.env, WISHLIST_ROLE: "worker", LOG_LEVEL: "info", DATABASE_URL: "postgres://127.0.0.1:1/none" },
  });
  expect(JSON.parse(stdout)).toMatchObject({ role, pid, instance: hostname(), msg: "a line" });
});
