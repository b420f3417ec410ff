// `npm run bench`: compares the service with bare servers, on this machine, in one run. `-- --help` lists the options.
//
// How to read the table: every figure is a median over alternating rounds (A B C A B C …), followed by the slowest and the fastest
// round. A ratio compares two medians of the same run. Rates of different runs or machines cannot be compared; ratios can, roughly. All
// servers, PostgreSQL and the load generator share the machine's cores, with one server under load at a time. `bare-rows` and
// `bare-json` are hand-written `node:http` servers without authentication, limits, validation and logging. Every round is verified:
// all responses are 2xx and complete, and as many rows are stored or removed as requests got a response.
import { fileURLToPath } from "node:url";
import { openDatabase } from "../server/postgres/database.ts";
import { provideDataset, withClient } from "./data/dataset.ts";
import { FULL, SMALL, TINY } from "./data/shape.ts";
import { buildApp, isEnding, onEnd, runProgram, say } from "./lifetime.ts";
import { loadGenerator } from "./load/generator.ts";
import { readOptions, type Options } from "./options.ts";
import { MEASURE } from "./sections.ts";
import type { Bench } from "./sections/bench.ts";
import { stopServers } from "./servers.ts";
import { failedRow, markdown, type Row } from "./table.ts";

async function bench(options: Options): Promise<boolean> {
  if (options.build) await buildApp();
  const generator = await loadGenerator(options.generator);
  const database = await openDatabase({
    dataDir: fileURLToPath(new URL("../.data/bench", import.meta.url)),
    role: "server",
    label: "bench",
    onProgress: say,
  });
  onEnd(() => database.close());
  const postgres = await withClient(database.adminUrl, async (client) => {
    const { rows } = await client.query<{ server_version: string }>("SHOW server_version");
    return rows[0]?.server_version ?? "";
  });

  const [shape, smallShape] = options.quick ? [SMALL, TINY] : [FULL, SMALL];
  const run: Bench = {
    options,
    generator,
    serverUrl: database.adminUrl,
    main: () => provideDataset(database.adminUrl, shape),
    small: () => provideDataset(database.adminUrl, smallShape),
  };
  const rows: Row[] = [];
  for (const section of options.sections) {
    try {
      rows.push(...(await MEASURE[section](run)));
    } catch (error) {
      if (isEnding()) return false;
      say(error instanceof Error ? (error.stack ?? error.message) : String(error));
      rows.push(failedRow(section, error));
    } finally {
      await stopServers();
    }
  }
  process.stdout.write(markdown(rows, { ...options, postgres, generator: generator.name, items: shape.items }));
  return rows.every(({ passed }) => (options.quick ? passed !== undefined : passed));
}

await runProgram(() => bench(readOptions(process.argv.slice(2))));
