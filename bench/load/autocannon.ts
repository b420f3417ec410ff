import { readFile } from "node:fs/promises";
import autocannon from "autocannon";
import { z } from "zod";
import { CONNECTIONS, requestAt, type LoadGenerator } from "./workload.ts";

const manifest = new URL("../../node_modules/autocannon/package.json", import.meta.url);

/** Load generator for machines without wrk. It takes several times the CPU time, which the measured servers then lack. */
export async function autocannonGenerator(): Promise<LoadGenerator> {
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(await readFile(manifest, "utf8")));
  return {
    name: `autocannon ${version} -c ${CONNECTIONS}`,
    async run({ url, token }, workload, seconds) {
      const common = { host: new URL(url).host, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
      let n = 0;
      const setupRequest = () => {
        const { method, path, body } = requestAt(workload, n++);
        const headers = body === undefined ? { ...common } : { ...common, "content-type": "application/json" };
        return { method, path, body, headers };
      };
      const result = await autocannon({
        url,
        connections: CONNECTIONS,
        duration: seconds,
        requests: [{ setupRequest }],
      });
      return {
        requests: result.requests.total,
        seconds: result.duration,
        bytes: result.throughput.total,
        failed: result.non2xx + result.errors,
        p99: result.latency.p99,
      };
    },
  };
}
