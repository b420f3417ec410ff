import { expect, test, vi } from "vitest";
import { listNameSchema, nameKey } from "../../app/wishlists/lists/names.ts";

test("a list's name that is far too long is refused before it is normalized", () => {
  const normalized = vi.spyOn(String.prototype, "normalize");
  try {
    const { error } = listNameSchema.safeParse(`e${"\u0301\u0327".repeat(8_000)}`);
    expect(error?.issues).toMatchObject([{ message: "must have at most 100 characters" }]);
    expect(normalized).not.toHaveBeenCalled();
  } finally {
    normalized.mockRestore();
  }
});

test("a list's name of 100 characters is accepted however they are decomposed, and has a form to compare", () => {
  const widest = "\u1f82".repeat(100);
  expect(listNameSchema.parse(widest.normalize("NFD"))).toBe(widest);
  // The character that becomes longest.
  expect(nameKey("\ufdfa".repeat(100))).toHaveLength(1_800);
});
