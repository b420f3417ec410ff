import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../support/database.ts";
import { startService, type Service } from "../support/service.ts";
import { explainEverything, recordStatements } from "../support/statements.ts";

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

test("/readyz asks the database once a second, however many requests come", async () => {
  const executed = await recordStatements(database);
  const started = performance.now();
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${service.url}/readyz`)));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(20).fill(200));
    await Promise.all(answers.map((answer) => answer.text()));
  }
  const seconds = (performance.now() - started) / 1000;
  const asked = (await executed()).filter(({ text }) => text === "SELECT 1 AS one").length;
  expect(asked).toBeGreaterThan(0);
  expect(asked).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
});
