import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { THRESHOLDS } from "../../server/status/thresholds.ts";

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");

const rules = read("ops/prometheus/alerts.yaml");
const runbook = read("docs/runbook.md");
const RUNBOOK = "https://github.com/example/wishlist-headless/blob/main/docs/runbook.md";
/** The metrics that docs/monitoring.md lists; tests/api/metrics.test.ts proves that a process exports them. */
const documented = new Set(Array.from(read("docs/monitoring.md").matchAll(/^\| `(\w+)`/gm), ([, name = ""]) => name));

/** The alert rules' texts, by name. */
const alertRules = new Map(
  rules
    .split(/^ {6}- alert: /m)
    .slice(1)
    .map((text) => [text.split("\n", 1)[0] ?? "", text]),
);

/** Each metric that a PromQL expression names, without the suffixes of histograms. */
function metricsIn(expression: string): string[] {
  const names = expression.match(/\b(?:wishlist|process|nodejs)_\w+/g) ?? [];
  return names.map((name) => (documented.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, "")));
}

const dashboardSchema = z.object({
  schemaVersion: z.number().min(38),
  templating: z.object({ list: z.array(z.object({ name: z.string(), type: z.string() })) }),
  panels: z.array(
    z.object({
      id: z.number(),
      type: z.string(),
      title: z.string(),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      datasource: z.object({ type: z.literal("prometheus"), uid: z.literal("${datasource}") }).optional(),
      targets: z.array(z.object({ refId: z.string(), expr: z.string() })).optional(),
    }),
  ),
});
const dashboard = dashboardSchema.parse(JSON.parse(read("ops/grafana/wishlist.json")));

describe("the alert rules", () => {
  test("have a summary, a description and a section in the runbook", () => {
    const headings = Array.from(runbook.matchAll(/^## (\w+)$/gm), ([, name = ""]) => name);
    for (const [name, text] of alertRules) {
      expect({ name, heading: headings.includes(name) }).toEqual({ name, heading: true });
      expect(text).toMatch(/^ +summary: .{10,}$/m);
      expect(text).toMatch(/^ +description: .{10,}$/m);
      expect(text).toContain(`runbook_url: ${RUNBOOK}#${name.toLowerCase()}\n`);
    }
    expect(alertRules.size).toBeGreaterThan(20);
  });

  test("get other addresses of the runbook by the command of docs/monitoring.md", () => {
    const [, command = ""] =
      /^(sed .*) \/opt\/wishlist\/ops\/prometheus\/alerts\.yaml/m.exec(read("docs/monitoring.md")) ?? [];
    const file = fileURLToPath(new URL("../../ops/prometheus/alerts.yaml", import.meta.url));
    const { stdout } = spawnSync("sh", ["-c", `${command} "$0"`, file], { encoding: "utf8" });
    expect(stdout).toBe(rules.replaceAll(RUNBOOK, "https://wiki.example.com/wishlist/runbook.md"));
    expect(stdout).not.toContain(RUNBOOK);
  });

  test("and wishlist status use the same thresholds", () => {
    for (const [name, threshold] of Object.entries(THRESHOLDS)) {
      const [, limit] = /^ +expr: .* > ([\d.e]+)$/m.exec(alertRules.get(name) ?? "") ?? [];
      expect({ name, limit: Number(limit) }).toEqual({ name, limit: threshold });
    }
  });

  test("name only documented metrics", () => {
    const named = metricsIn(rules);
    expect(named.length).toBeGreaterThan(20);
    // `up` is Prometheus' own.
    expect(named.filter((name) => !documented.has(name))).toEqual([]);
  });
});

describe("the dashboard", () => {
  const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

  test("names only documented metrics", () => {
    const named = expressions.flatMap(metricsIn);
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((name) => !documented.has(name))).toEqual([]);
  });

  test("takes its data source from a variable and has distinct panels", () => {
    expect(dashboard.templating.list).toContainEqual(
      expect.objectContaining({ name: "datasource", type: "datasource" }),
    );
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { type, datasource, targets } of dashboard.panels) {
      if (type !== "row") expect([datasource, targets?.length]).toEqual([expect.anything(), expect.any(Number)]);
    }
  });
});
