import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { describeSkipped } from "../support/programs/needs.ts";
import { find, installCommands, provide, type Program } from "../support/programs/programs.ts";

const install = vi.fn(() => false);
let program: Program;

beforeEach(() => {
  program = {
    title: "The missing program",
    variable: "WISHLIST_TEST_MISSING",
    candidates: ["no-program-has-this-name"],
    installers: [install],
    packages: { apt: "missing", brew: "missing" },
  };
});
afterEach(() => {
  vi.unstubAllEnvs();
  install.mockClear();
});

test("a missing program is not installed on a developer's machine", () => {
  vi.stubEnv("CI", "");
  expect(provide(program)).toBeUndefined();
  expect(install).not.toHaveBeenCalled();
});

test("a missing program is installed on CI", () => {
  vi.stubEnv("CI", "1");
  expect(provide(program)).toBeUndefined();
  expect(install).toHaveBeenCalledOnce();
});

test("a named program that does not run is an error, not a missing program", () => {
  vi.stubEnv("WISHLIST_TEST_MISSING", "/no/such/program");
  expect(() => find(program)).toThrow("WISHLIST_TEST_MISSING=/no/such/program does not run.");
});

test("one command installs all packages, and another one what has no package", () => {
  const commands = installCommands([program, program, { ...program, packages: {}, command: "npx get it" }]);
  expect(commands).toEqual([expect.stringMatching(/^(sudo )?(apt-get|brew) install missing missing$/), "npx get it"]);
});

test("skipped tests are counted for each program that they need", () => {
  const [ruby, both, neither] = [["Ruby"], ["Ruby", "Redis"], undefined];
  const [counts] = describeSkipped([ruby, ruby, both, neither].map((missingPrograms) => ({ missingPrograms })));
  expect(counts).toBe("3 tests did not run, because programs are missing: 1 need Redis, 3 need Ruby.");
});

test("nothing is said about programs when no test was skipped for one", () => {
  expect(describeSkipped([{ missingPrograms: undefined }])).toEqual([]);
});
