import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { startService, type Service } from "../support/app/service.ts";
import { explainEverything, recordStatements } from "../support/database/statements.ts";

let database: TestDatabase;
let service: Service;

beforeAll(async () => {
  database = await createDatabase();
  await explainEverything(database);
  service = await startService({ database });
});
afterAll(async () => {
  await service.dispose();
  await database.drop();
});

test("/readyz queries the database at most once per second", async () => {
  const executed = await recordStatements(database);
  const started = performance.now();
  for (let round = 0; round < 10; round++) {
    const responses = await Promise.all(Array.from({ length: 20 }, () => fetch(`${service.url}/readyz`)));
    expect(responses.map(({ status }) => status)).toEqual(Array<number>(20).fill(200));
    await Promise.all(responses.map((response) => response.text()));
  }
  const seconds = (performance.now() - started) / 1000;
  const reads = (await executed()).filter(({ text }) => text === "SELECT 1 AS one").length;
  expect(reads).toBeGreaterThan(0);
  expect(reads).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
});
