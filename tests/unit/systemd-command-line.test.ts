import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";

const SCRIPT = fileURLToPath(new URL("../../ops/systemd/wishlist", import.meta.url));
const URL_WITH_PASSWORD = "postgres://wishlist:hush@db.internal:5432/wishlist";

// In place of systemd-run: prints its arguments, and the content of the last file of settings if it can read it.
const folder = mkdtempSync(path.join(tmpdir(), "wishlist-systemd-run-"));
const systemdRun = path.join(folder, "systemd-run");
writeFileSync(
  systemdRun,
  `#!/bin/sh
for argument; do
  echo "argument $argument"
  case $argument in --property=EnvironmentFile=*) file=\${argument#--property=EnvironmentFile=} ;; esac
done
sed 's/^/setting /' "$file" 2>/dev/null
exit 3
`,
);
chmodSync(systemdRun, 0o755);
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function run(env: Record<string, string>) {
  const { stdout, status } = spawnSync("sh", [SCRIPT, "database", "restore", "/backups/a file.zip"], {
    encoding: "utf8",
    env: { NODE_ENV: "production", PATH: `${folder}:${process.env["PATH"] ?? ""}`, ...env },
  });
  const lines = (word: string): string[] =>
    stdout
      .split("\n")
      .filter((line) => line.startsWith(`${word} `))
      .map((line) => line.slice(word.length + 1));
  const files = lines("argument").flatMap((argument) => argument.split("--property=EnvironmentFile=").slice(1));
  return { status, files, args: lines("argument"), settings: lines("setting") };
}

describe("the command line under systemd", () => {
  test("gives the caller's DATABASE_URL precedence over the service's settings", () => {
    const { files, settings } = run({ DATABASE_URL: URL_WITH_PASSWORD });
    expect(files).toEqual(["/etc/wishlist/wishlist.env", expect.any(String)]);
    expect(settings).toEqual([`DATABASE_URL=${URL_WITH_PASSWORD}`]);
  });

  test("keeps DATABASE_URL out of arguments and leaves no file", () => {
    const { args, files } = run({ DATABASE_URL: URL_WITH_PASSWORD });
    expect(args.filter((argument) => argument.includes("hush"))).toEqual([]);
    expect(existsSync(files[1] ?? "")).toBe(false);
  });

  test("takes an empty DATABASE_URL for the embedded database", () => {
    expect(run({ DATABASE_URL: "" }).settings).toEqual(["DATABASE_URL="]);
  });

  test("passes on the user who called sudo, for audit entries", () => {
    expect(run({ SUDO_USER: "maren" }).args).toContain("--setenv=SUDO_USER=maren");
    expect(run({}).args.join("\n")).not.toContain("SUDO_USER");
  });

  test("passes on arguments, exit code and the service's settings alone", () => {
    const { args, files, status } = run({});
    expect(files).toEqual(["/etc/wishlist/wishlist.env"]);
    expect(args.slice(-3)).toEqual(["database", "restore", "/backups/a file.zip"]);
    expect(status).toBe(3);
  });
});
