import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { ALL_SCOPES } from "../../app/access/index.server.ts";
import { runProgram } from "../../server/commands/program.ts";
import { forgedKeyId } from "../support/access/forged-key.ts";

// A usage error that is not found must not open the developer's database.
beforeAll(() => {
  vi.stubEnv("DATA_DIR", "/nowhere");
});
afterAll(() => {
  vi.unstubAllEnvs();
});

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command that needs no database, in this process. */
async function run(...args: string[]): Promise<Ended> {
  const ended = { code: 0, stdout: "", stderr: "" };
  const into = (name: "stdout" | "stderr") => ({
    write(text: string | Uint8Array): boolean {
      ended[name] += String(text);
      return true;
    },
  });
  ended.code = await runProgram(args, { stdout: into("stdout"), stderr: into("stderr") });
  return ended;
}

function text(ended: Ended): string {
  expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: "" });
  return ended.stdout;
}

/** Returns the error line of a usage error. */
function refusal({ code, stdout, stderr }: Ended): string {
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^[^\n]+\n$/);
  return stderr.trimEnd();
}

describe("a usage error", () => {
  const create = ["keys", "create", "--shop", "one.myshopify.com"];
  test.each([
    [["shops", "create", "my shop"], "my-shop.myshopify.com"],
    [["shops", "create", "example.com"], "the shop's domain at Shopify, such as my-shop.myshopify.com"],
    [["shops", "create", "myshopify.com"], "the shop's domain at Shopify, such as my-shop.myshopify.com"],
    [["shops", "create", "shop.myshopify.com.example.com"], "the shop's domain at Shopify"],
    [["secrets", "abandon", "k1:c2VjcmV0"], "the id of an encryption key"],
    [["shops", "create", "one.myshopify.com", "--plan", "gold"], "free, starter, growth"],
    [["shops", "create", "one.myshopify.com", "--time-zone", "Mars"], "Europe/Berlin"],
    [["shops", "create", "one.myshopify.com", "--time-zone", "+05:00"], "Europe/Berlin"],
    [["shops", "set-plan", "one.myshopify.com", "gold"], "free, starter, growth"],
    [["shops", "create", "one.myshopify.com", "two.myshopify.com"], "Too many arguments"],
    [["shops", "creat", "one.myshopify.com"], "create"],
    [["keys", "create", "--name", "x", "--scopes", "all"], "--shop <domain>"],
    [[...create, "--scopes", "all", "--name", " "], "1 to 100 characters"],
    [[...create, "--scopes", "all", "--name", "x".repeat(101)], "1 to 100 characters; this one has 101"],
    [[...create, "--scopes", "all", "--name", "two\nlines"], "line breaks"],
    [
      [...create, "--name", "x", "--scopes", "read_wishlists,reed"],
      "Unknown scopes: reed. Valid scopes: read_wishlists, write_",
    ],
    [[...create, "--name", "x", "--scopes", ","], "The list is empty"],
    [[...create, "--name", "x", "--scopes", "all", "--expires-in", "soon"], "30m, 24h or 90d"],
    [[...create, "--name", "x", "--scopes", "all", "--expires-in", "0"], "would expire immediately"],
    [["keys", "rotate", forgedKeyId("a"), "--overlap", "1y"], "30m, 24h or 90d"],
    [["keys", "revoke", `${forgedKeyId("a").slice(0, -1)}_`], "mistyped or incomplete"],
    [["keys", "revoke", "--all"], "--all"],
  ])("of %j names the correct form", async (args, hint) => {
    const line = refusal(await run(...args));
    expect(line).toContain(hint);
    expect(line).toMatch(/--help shows the usage\.$/);
  });

  test("with --json is JSON and does not repeat a secret", async () => {
    const secret = forgedKeyId("a").replace("wlk_", "wls_");
    const line = refusal(await run("keys", "revoke", secret, "--json"));
    const shape = z.strictObject({ error: z.strictObject({ code: z.literal("usage"), message: z.string() }) });
    const { error } = shape.parse(JSON.parse(line));
    expect(error.message).toMatch(/This is a secret\. Write the key's id, which begins with wlk_\./);
    expect(line).not.toContain(secret);
  });

  test("without arguments is the help", async () => {
    const [none, group] = await Promise.all([run(), run("keys")]);
    expect({ code: none.code, stdout: none.stdout }).toEqual({ code: 2, stdout: "" });
    expect(none.stderr).toContain("Usage: npm run -s wishlist --");
    expect({ code: group.code, stdout: group.stdout }).toEqual({ code: 2, stdout: "" });
    expect(group.stderr).toContain("rotate");
  });
});

test("--version prints the version without opening a database", async () => {
  expect(text(await run("--version"))).toMatch(/^\d+\.\d+\.\d+\n$/);
});

describe("--help", () => {
  test("shows commands and usage at every level", async () => {
    const leaves = ["shops create", "shops list", "shops set-plan"].concat(
      ["create", "list", "rotate", "revoke"].map((name) => `keys ${name}`),
      ["status", "reseal", "abandon"].map((name) => `secrets ${name}`),
    );
    const help = async (words: string): Promise<string> => {
      return text(await run(...words.split(" ").filter((word) => word !== ""), "--help"));
    };
    const groups = ["shops", "keys", "secrets"];
    const [top = "", ...shown] = await Promise.all(["", ...groups, ...leaves].map(help));
    const helpOf = new Map(groups.map((group) => [group, shown.shift() ?? ""]));
    for (const part of ["shops", "keys", "secrets", "DATABASE_URL", "DATA_DIR", "Examples:", "--json"])
      expect(top).toContain(part);
    leaves.forEach((leaf, index) => {
      const [group = "", name = ""] = leaf.split(" ");
      expect(helpOf.get(group)).toMatch(new RegExp(`^  ${name} .*[a-z]$`, "m"));
      expect(shown[index]).toContain(`Usage: npm run -s wishlist -- ${leaf} `);
      expect(shown[index]).toMatch(/^ +--json +print JSON for scripts$/m);
    });
    const create = shown[leaves.indexOf("keys create")];
    for (const scope of ALL_SCOPES) expect(create).toMatch(new RegExp(`^ +${scope} +[A-Z]`, "m"));
  });
});
