import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Records, type FileRecord } from "../../../app/wishlists/transfer/records.ts";

type Format = "csv" | "ndjson";

/** Splits a file that arrives in pieces into records. */
function cut(format: Format, pieces: readonly Buffer[], from = { byte: 0, line: 1 }): FileRecord[] {
  const records = new Records(format, from);
  return [...pieces.flatMap((piece) => [...records.push(piece)]), ...records.end()];
}

const texts = (format: Format, file: string): string[] =>
  cut(format, [Buffer.from(file)]).map(
    ({ line, bytes, flaw }) => `${line} ${flaw ?? JSON.stringify(bytes.toString())}`,
  );

describe("a file", () => {
  test("is split at line ends, with or without a last one", () => {
    expect(texts("ndjson", "a\r\n\nb\n")).toEqual(['1 "a"', '2 ""', '3 "b"']);
    expect(texts("ndjson", 'a"\nb')).toEqual(['1 "a\\""', '2 "b"']);
    expect(texts("ndjson", "")).toEqual([]);
  });

  test("of CSV is not split within quotes, and line numbers stay right", () => {
    expect(texts("csv", 'a,"x\n""y\r\n"\nb')).toEqual(['1 "a,\\"x\\n\\"\\"y\\r\\n\\""', '4 "b"']);
  });

  test("loses only the line whose quote is not closed", () => {
    expect(texts("csv", 'a\nb,"c\nd\ne')).toEqual(['1 "a"', "2 unclosed", '3 "d"', '4 "e"']);
    const many = Array.from({ length: 3_000 }, (_, n) => `row ${n}`);
    const found = texts("csv", ['b,"c', ...many].join("\n"));
    expect(found).toEqual(["1 unclosed", ...many.map((text, n) => `${n + 2} "${text}"`)]);
  });

  test.each(["csv", "ndjson"] as const)("of %s skips an endless line", (format) => {
    const long = "x".repeat(160_000);
    expect(texts(format, `a\n${long}\nb`)).toEqual(['1 "a"', "2 too-long", '3 "b"']);
    expect(texts(format, `a\n${long}`)).toEqual(['1 "a"', "2 too-long"]);
    const inPieces = cut(
      format,
      ["a\n", ...Array.from({ length: 160 }, () => "x".repeat(1_000)), "\nb"].map((s) => Buffer.from(s)),
    );
    expect(inPieces.map(({ line, flaw }) => [line, flaw])).toEqual([
      [1, undefined],
      [2, "too-long"],
      [3, undefined],
    ]);
  });

  const files = fc
    .array(fc.constantFrom("a", '"', "\n", "\r\n", ",", "x".repeat(300), "x".repeat(9_000)), { maxLength: 60 })
    .map((parts) => Buffer.from(parts.join("")));
  const formats = fc.constantFrom<Format>("csv", "ndjson");

  test("is split in the same way for all sizes of pieces", () => {
    fc.assert(
      fc.property(
        files,
        formats,
        fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1 }),
        (file, format, sizes) => {
          const pieces: Buffer[] = [];
          for (let at = 0, n = 0; at < file.length; n++) {
            const size = sizes[n % sizes.length] ?? 1;
            pieces.push(file.subarray(at, at + size));
            at += size;
          }
          const describeRecords = (all: FileRecord[]) =>
            all.map(({ line, flaw, next, bytes }) => [line, flaw, next, flaw ? "" : bytes.toString()]);
          expect(describeRecords(cut(format, pieces))).toEqual(describeRecords(cut(format, [file])));
        },
      ),
    );
  });

  test("can be resumed after any record", () => {
    fc.assert(
      fc.property(files, formats, fc.nat(), (file, format, nat) => {
        const all = cut(format, [file]);
        const left = all[nat % Math.max(1, all.length)];
        if (!left) return;
        const rest = cut(format, [file.subarray(left.next.byte)], left.next);
        expect(rest.map(({ line, flaw, next }) => [line, flaw, next])).toEqual(
          all.slice(all.indexOf(left) + 1).map(({ line, flaw, next }) => [line, flaw, next]),
        );
      }),
    );
  });
});
