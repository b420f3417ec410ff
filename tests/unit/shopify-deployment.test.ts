import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { TRIGGERS } from "../../app/flow/triggers.ts";
import { readFlowExtensions } from "../../packages/devstore/store/flow-extensions.ts";
import { configure } from "../../extensions/configure.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const LIFECYCLE = "extensions/flow-lifecycle/shopify.extension.toml";

async function inCopy(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "deployment-"));
  try {
    for (const file of ["shopify.app.toml", LIFECYCLE]) await cp(ROOT + file, path.join(folder, file));
    await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe("npm run shopify:configure", () => {
  test("writes the deployment's client id and absolute addresses, and nothing else", async () => {
    await inCopy(async (folder) => {
      const read = async (file: string, from = folder) => parse(await readFile(path.join(from, file), "utf8"));
      await configure(folder, { clientId: "abc", appUrl: "https://wishlist.example.org" });
      expect(await read("shopify.app.toml")).toEqual({
        ...(await read("shopify.app.toml", ROOT)),
        client_id: "abc",
        application_url: "https://wishlist.example.org",
        auth: { redirect_urls: ["https://wishlist.example.org/auth/callback"] },
      });
      expect(readFlowExtensions(path.join(folder, "extensions")).lifecycleCallbacks).toEqual([
        "https://wishlist.example.org/webhooks/flow",
      ]);
    });
  });

  test.each(["http://wishlist.example.org", "https://wishlist.example.org/app", "wishlist.example.org"])(
    "refuses the address %s and writes nothing",
    async (appUrl) => {
      await inCopy(async (folder) => {
        await expect(configure(folder, { clientId: "abc", appUrl })).rejects.toThrow("SHOPIFY_APP_URL must be");
        for (const file of ["shopify.app.toml", LIFECYCLE])
          expect(await readFile(path.join(folder, file), "utf8")).toBe(await readFile(ROOT + file, "utf8"));
      });
    },
  );
});

test("the triggers of Shopify Flow have the handles and names of their extensions", () => {
  const declared = readFlowExtensions(path.join(ROOT, "extensions")).triggers;
  const names = (triggers: readonly { handle: string; name: string }[]) =>
    Object.fromEntries(triggers.map(({ handle, name }) => [handle, name]));
  expect(names(TRIGGERS)).toEqual(names(declared));
});
