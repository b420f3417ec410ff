import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { z } from "zod";
import { runToEnd } from "../lifetime.ts";
import {
  BATCH,
  CONNECTIONS,
  PROXIED_BODY,
  proxiedPath,
  VARIANT_OFFSET,
  withQuery,
  type LoadGenerator,
  type Target,
  type Workload,
} from "./workload.ts";

const resultSchema = z.object({
  requests: z.int(),
  microseconds: z.number().positive(),
  bytes: z.number(),
  failed: z.int(),
  p99: z.number(),
});

// The strings here (ids, tokens, paths) have the same escapes in JSON and Lua.
const lua = (text: string): string => JSON.stringify(text);
const luaList = (texts: readonly string[]): string => `{${texts.map(lua).join(",")}}`;

/** Returns the workload as a script for wrk. Requests for pages are built once, because wrk calls `request` for each one. */
function script({ token }: Target, { steps, readers, writers, firstProduct, products, proxy }: Workload): string {
  const authorization = token === undefined ? "" : `headers["Authorization"] = ${lua(`Bearer ${token}`)}`;
  return `
local headers = {}
${authorization}
local json = {["Content-Type"] = "application/json"}
for name, value in pairs(headers) do json[name] = value end
local steps = ${luaList(steps.map(({ kind }) => kind))}
local lags = {${steps.map(({ lag }) => lag).join(",")}}
local readers = ${luaList(readers.map(withQuery))}
local writers = ${luaList(writers)}
local pages = {}
local proxied = ${luaList(proxy ? readers.map((reader) => proxiedPath(proxy, reader)) : [])}
local n = -1

function init()
  for i, reader in ipairs(readers) do
    pages[i] = wrk.format("GET", "/v1/wishlists/" .. reader, headers)
  end
  for i, path in ipairs(proxied) do
    proxied[i] = wrk.format("POST", path, json, ${lua(PROXIED_BODY)})
  end
end

function request()
  n = n + 1
  local at = n % #steps + 1
  local kind, turn = steps[at], n - lags[at]
  if kind == "page" then return pages[turn % #pages + 1] end
  if kind == "batch" then
    local first = ${firstProduct} + turn * ${BATCH}
    local operations = {}
    for i = 0, ${BATCH - 1} do
      operations[i + 1] = string.format('{"op":"add","productId":"%.0f","variantId":"%.0f"}', first + i, first + i + ${VARIANT_OFFSET})
    end
    local target = "/v1/wishlists/" .. writers[turn % #writers + 1] .. "/lists/default/items/batch"
    return wrk.format("POST", target, json, '{"operations":[' .. table.concat(operations, ",") .. "]}")
  end
  if kind == "proxied" then return proxied[turn % #proxied + 1] end
  local path = "/v1/wishlists/" .. writers[turn % #writers + 1] .. "/items"
  local product = ${firstProduct} + ${products === undefined ? "turn" : `turn % ${products}`}
  if kind == "remove" then return wrk.format("DELETE", string.format("%s/%.0f", path, product), headers) end
  return wrk.format("POST", path, json,
    string.format('{"product_id":"%.0f","variant_id":"%.0f"}', product, product + ${VARIANT_OFFSET}))
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format('\\n{"requests":%d,"microseconds":%.0f,"bytes":%.0f,"failed":%d,"p99":%.3f}\\n',
    summary.requests, summary.duration, summary.bytes, e.connect + e.read + e.write + e.timeout + e.status,
    latency:percentile(99) / 1000))
end
`;
}

/** Returns wrk, or undefined when it is not on the PATH. */
export async function wrk(): Promise<LoadGenerator | undefined> {
  const version = await runToEnd("wrk", ["-v"]).then(
    ({ stdout, stderr }) => /wrk [\w./-]+/.exec(stdout + stderr)?.[0],
    () => undefined,
  );
  if (version === undefined) return undefined;
  return {
    name: `${version} -t1 -c${CONNECTIONS}`,
    async run(target, workload, seconds) {
      const folder = await mkdtemp(path.join(tmpdir(), "wishlist-bench-"));
      try {
        const file = path.join(folder, "load.lua");
        await writeFile(file, script(target, workload), { mode: 0o600 });
        const args = ["-t1", `-c${CONNECTIONS}`, `-d${seconds}s`, "--timeout", "10s", "-s", file, target.url];
        const { stdout, stderr } = await runToEnd("wrk", args);
        const line = stdout.split("\n").findLast((text) => text.startsWith("{"));
        if (line === undefined) throw new Error(`wrk did not report:\n${stdout}${stderr}`);
        const { microseconds, ...result } = resultSchema.parse(JSON.parse(line));
        return { ...result, seconds: microseconds / 1_000_000 };
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}
