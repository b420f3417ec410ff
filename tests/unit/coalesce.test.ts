import { expect, test } from "vitest";
import { coalesced } from "../../app/platform/coalesce.server.ts";

/** Runs that end when the test decides. */
function held() {
  const runs: { key: string; end: (error?: Error) => void }[] = [];
  const work = (key: string): Promise<void> =>
    new Promise((resolve, reject) => {
      runs.push({
        key,
        end: (error) => {
          if (error) reject(error);
          else resolve();
        },
      });
    });
  return { runs, share: coalesced(work) };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("calls during a run share the next one, which begins when the first ends", async () => {
  const { runs, share } = held();
  const first = share("a");
  const later = [share("a"), share("a"), share("a")];
  expect(runs).toHaveLength(1);
  runs[0]?.end();
  await first;
  await settled();
  expect(runs).toHaveLength(2);
  // The second run has begun and may miss later changes.
  const last = share("a");
  runs[1]?.end();
  await Promise.all(later);
  await settled();
  expect(runs).toHaveLength(3);
  runs[2]?.end();
  await last;
});

test("runs of different keys do not wait for each other", () => {
  const { runs, share } = held();
  void share("a");
  void share("b");
  expect(runs.map(({ key }) => key)).toEqual(["a", "b"]);
});

test("a failing run rejects its own callers only", async () => {
  const { runs, share } = held();
  const first = share("a");
  const second = share("a");
  runs[0]?.end(new Error("failed"));
  await expect(first).rejects.toThrow("failed");
  await settled();
  runs[1]?.end();
  await second;
  const third = share("a");
  expect(runs).toHaveLength(3);
  runs[2]?.end();
  await third;
});

test("callers that wait fail with the run in progress when its failure concerns them", async () => {
  const ends: ((error: Error) => void)[] = [];
  const share = coalesced(
    (_key: string) => new Promise<void>((_resolve, reject) => ends.push(reject)),
    (error) => error instanceof RangeError,
  );
  const first = share("a");
  const second = share("a");
  ends[0]?.(new RangeError("unreachable"));
  await expect(first).rejects.toThrow("unreachable");
  await expect(second).rejects.toThrow("unreachable");
  expect(ends).toHaveLength(1);
  const third = share("a");
  ends[1]?.(new Error("another"));
  await expect(third).rejects.toThrow("another");
});
