import { afterEach, expect, test, vi } from "vitest";
import { provide } from "../support/programs/programs.ts";

const install = vi.fn(() => false);
const program = {
  title: "The missing program",
  variable: "WISHLIST_TEST_MISSING",
  candidates: ["no-program-has-this-name"],
  installers: [install],
  advice: "from nowhere",
};

afterEach(() => {
  vi.unstubAllEnvs();
  install.mockClear();
});

test("a missing program is reported with instructions and not installed", () => {
  vi.stubEnv("CI", "");
  expect(() => provide(program)).toThrow("The missing program is missing. Install it (from nowhere)");
  expect(install).not.toHaveBeenCalled();
});

test("a missing program is installed on CI", () => {
  vi.stubEnv("CI", "1");
  expect(() => provide(program)).toThrow("The missing program is missing");
  expect(install).toHaveBeenCalledOnce();
});
