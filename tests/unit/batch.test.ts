import { expect, test } from "vitest";
import { batched } from "../../app/platform/database/batch.server.ts";
import { ShopBusyError } from "../../app/platform/database/shop-gate.server.ts";

/** All calls belong together. */
const one = (): number => 1;

/** Work whose batches end when the test decides. */
function held() {
  const batches: { inputs: readonly number[]; succeed: () => void; fail: (error: Error) => void }[] = [];
  let next: (() => void) | undefined;
  const work = (inputs: readonly number[]): Promise<string[]> =>
    new Promise((resolve, reject) => {
      const succeed = (): void => {
        resolve(inputs.map((input) => `answer ${input}`));
      };
      batches.push({ inputs, succeed, fail: reject });
      next?.();
    });
  /** Resolves when `count` batches have begun. */
  const begun = async (count: number): Promise<void> => {
    while (batches.length < count) await new Promise<void>((resolve) => (next = resolve));
  };
  const batch = (index: number) => {
    const found = batches[index];
    if (!found) throw new Error(`batch ${index} has not begun`);
    return found;
  };
  return { work, begun, batch, inputs: () => batches.map(({ inputs }) => [...inputs]) };
}

test("calls of one tick share a batch, and each gets its own result", async () => {
  const { work, begun, batch, inputs } = held();
  const ask = batched(work, { concurrency: 1, size: 10, group: one });
  const responses = Promise.all([ask(1), ask(2), ask(3)]);
  await begun(1);
  batch(0).succeed();
  expect(await responses).toEqual(["answer 1", "answer 2", "answer 3"]);
  expect(inputs()).toEqual([[1, 2, 3]]);
});

test("calls beyond the concurrency limit share the next batch", async () => {
  const { work, begun, batch, inputs } = held();
  const ask = batched(work, { concurrency: 2, size: 10, group: one });
  const first = ask(1);
  await begun(1);
  const second = ask(2);
  await begun(2);
  const waiting = Promise.all([ask(3), ask(4)]);
  batch(1).succeed();
  expect(await second).toBe("answer 2");
  await begun(3);
  expect(inputs()).toEqual([[1], [2], [3, 4]]);
  batch(2).succeed();
  expect(await waiting).toEqual(["answer 3", "answer 4"]);
  batch(0).succeed();
  expect(await first).toBe("answer 1");
});

test("a batch contains calls of one group only, and groups do not wait for each other", async () => {
  const { work, begun, batch, inputs } = held();
  const ask = batched(work, { concurrency: 1, size: 10, group: (input) => input % 2 });
  const [odd, even] = [Promise.all([ask(1), ask(3)]), Promise.all([ask(2), ask(4)])];
  await begun(2);
  expect(inputs()).toEqual([
    [1, 3],
    [2, 4],
  ]);
  batch(1).succeed();
  expect(await even).toEqual(["answer 2", "answer 4"]);
  batch(0).succeed();
  expect(await odd).toEqual(["answer 1", "answer 3"]);
});

test("a batch never exceeds its size", async () => {
  const { work, begun, batch, inputs } = held();
  const ask = batched(work, { concurrency: 3, size: 2, group: one });
  const responses = Promise.all([1, 2, 3, 4, 5].map(ask));
  await begun(3);
  expect(inputs()).toEqual([[1, 2], [3, 4], [5]]);
  for (const index of [2, 0, 1]) batch(index).succeed();
  expect(await responses).toEqual([1, 2, 3, 4, 5].map((input) => `answer ${input}`));
});

test("a failing call does not fail others of its batch", async () => {
  const ask = batched(
    (inputs: readonly number[]) =>
      inputs.includes(2) ? Promise.reject(new Error("no twos")) : Promise.resolve(inputs.map((input) => input * 10)),
    { concurrency: 1, size: 10, group: one },
  );
  const outcomes = await Promise.allSettled([ask(1), ask(2), ask(3)]);
  expect(outcomes).toEqual([
    { status: "fulfilled", value: 10 },
    { status: "rejected", reason: new Error("no twos") },
    { status: "fulfilled", value: 30 },
  ]);
  expect(await ask(4)).toBe(40);
});

test.each([
  ["the database is unreachable", new Error("Connection terminated unexpectedly")],
  ["the shop's share was not free in time", new ShopBusyError("a call of shop 1 waited for 3000 ms")],
])("a batch that fails because %s is not repeated", async (_why, failure) => {
  const { work, begun, batch, inputs } = held();
  const ask = batched(work, { concurrency: 1, size: 10, group: one });
  const outcomes = Promise.allSettled([ask(1), ask(2)]);
  await begun(1);
  batch(0).fail(failure);
  expect(await outcomes).toEqual([
    { status: "rejected", reason: failure },
    { status: "rejected", reason: failure },
  ]);
  expect(inputs()).toEqual([[1, 2]]);
});
