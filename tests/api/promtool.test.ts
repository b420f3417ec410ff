import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import { test } from "../support/app/fixtures.ts";
import { METRICS_TOKEN as TOKEN } from "../support/app/metrics.ts";
import { needs, pathOf } from "../support/programs/needs.ts";
import { promtool } from "../support/programs/programs.ts";
import { MATRIX } from "../support/matrix.ts";

test.override("appOptions", { env: { METRICS_TOKEN: TOKEN } });

const OPS = new URL("../../ops/", import.meta.url);

function run(args: readonly string[], input = ""): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(pathOf(promtool), args, { cwd: OPS, input, encoding: "utf8" });
  return { status, output: stdout + stderr };
}

test("promtool accepts the alert rules and their tests pass", { ...needs(promtool), ...MATRIX }, () => {
  expect(run(["check", "rules", "prometheus/alerts.yaml"])).toMatchObject({ status: 0 });
  expect(run(["test", "rules", "prometheus/alerts.test.yaml"])).toMatchObject({ status: 0 });
});

test("promtool finds no fault in a scrape", needs(promtool), async ({ app, call, shop }) => {
  await call("GET", "/v1/wishlists/1", { token: shop.token });
  const response = await app.fetch("/metrics", { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(run(["check", "metrics"], await response.text())).toEqual({ status: 0, output: "" });
});

test("promtool parses every expression of the dashboard", needs(promtool), () => {
  const dashboard = z
    .object({ panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).default([]) })) })
    .parse(JSON.parse(readFileSync(new URL("grafana/wishlist.json", OPS), "utf8")));
  const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const folder = mkdtempSync(path.join(tmpdir(), "wishlist-rules-"));
  const file = path.join(folder, "dashboard.yaml");
  const rules = expressions.map((expr, index) => ({ record: `panel:${index}`, expr: withoutVariables(expr) }));
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ groups: [{ name: "dashboard", rules }] }));
  const checked = run(["check", "rules", file]);
  rmSync(folder, { recursive: true });
  expect(checked).toMatchObject({ status: 0 });
  expect(checked.output).toContain(`SUCCESS: ${expressions.length} rules found`);
});

function withoutVariables(expression: string): string {
  return expression.replaceAll("$__rate_interval", "1m").replaceAll("$instance", ".*");
}
