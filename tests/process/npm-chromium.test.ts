// @module-tag matrix

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium } from "playwright";
import { afterAll, describe, expect, test } from "vitest";
import { createCertificate } from "../support/database/certificate.ts";
import { portOf } from "../support/http/ports.ts";
import { npmHeadlessShell } from "../support/programs/npm-chromium.ts";
import { runs } from "../support/programs/programs.ts";

describe.runIf(process.platform === "linux" && process.arch === "x64")("the headless shell from npm", () => {
  const cache = mkdtempSync(path.join(tmpdir(), "wishlist-chromium-"));
  afterAll(() => rmSync(cache, { recursive: true }));
  const module = new URL("../support/programs/npm-chromium.ts", import.meta.url).href;

  /** Unpacks into the cache in another process. @returns whether it was ended by the signal */
  async function unpack(signal?: NodeJS.Signals): Promise<boolean> {
    const code = `import { npmHeadlessShell } from "${module}"; npmHeadlessShell(process.argv[1])`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", code, cache], { stdio: "inherit" });
    const ended = once(child, "exit");
    while (signal !== undefined && readdirSync(cache).length === 0 && child.exitCode === null) {
      await new Promise(setImmediate);
    }
    if (signal !== undefined) child.kill(signal);
    return (await ended)[1] === signal;
  }

  test("runs after an interrupted and two concurrent attempts to unpack it", async () => {
    expect(await unpack("SIGKILL")).toBe(true);
    const [interrupted = ""] = readdirSync(cache);
    expect(interrupted).toMatch(/^unpacking-/);
    await Promise.all([unpack(), unpack()]);
    const unpacked = readdirSync(cache).filter((name) => name !== interrupted);
    expect(unpacked).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
    const shell = npmHeadlessShell(cache);
    expect(shell).toBe(path.join(cache, unpacked[0] ?? "", "headless-shell"));
    expect(runs(shell ?? "")).toBe(true);
  });

  // Its cryptographic library loads another one, whose missing functions end the browser at the first secure connection.
  test("opens a page by HTTPS", async () => {
    const { certificate: cert, key } = createCertificate();
    const server = createServer({ cert, key }, (_, response) => response.end("<title>secure</title>"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"];
    const browser = await chromium.launch({ executablePath: npmHeadlessShell(cache) ?? "", args });
    try {
      const page = await browser.newPage({ ignoreHTTPSErrors: true });
      await page.goto(`https://127.0.0.1:${portOf(server)}/`);
      expect(await page.title()).toBe("secure");
    } finally {
      await browser.close();
      server.close();
    }
  });
});
