const ELF_HEADER = 64;
const PROGRAM_HEADER = 56;
const SYMBOL = 24;
const PAGE = 0x1000;

const [LOAD, DYNAMIC, GNU_STACK] = [1, 2, 0x6474e551];
const [EXECUTE, WRITE, READ] = [1, 2, 4];
const [NULL, HASH, STRING_TABLE, SYMBOL_TABLE, STRING_SIZE, SYMBOL_SIZE, SONAME] = [0, 4, 5, 6, 10, 11, 14];
const GLOBAL_FUNCTION = 0x12;

/** Returns the bytes of little-endian numbers with these widths in bytes. */
function bytes(...fields: readonly (readonly [value: number, width: 1 | 2 | 4 | 8])[]): Buffer {
  return Buffer.concat(
    fields.map(([value, width]) => {
      const field = Buffer.alloc(width);
      if (width === 8) field.writeBigUInt64LE(BigInt(value));
      else field.writeUIntLE(value, 0, width);
      return field;
    }),
  );
}

/**
 * Returns a shared library (ELF, Linux on x64) whose functions do nothing and return a number. A library that is linked to another one
 * which the system lacks, and which it can do without, loads with such a stub.
 */
export function stubLibrary(name: string, functions: readonly string[], result: number): Buffer {
  const strings = Buffer.from(`\0${[name, ...functions].join("\0")}\0`, "latin1");
  const placeOf = (text: string): number => strings.indexOf(`\0${text}\0`, 0, "latin1") + 1;
  const count = functions.length + 1;

  const hashAt = ELF_HEADER + 4 * PROGRAM_HEADER;
  // One bucket, whose chain holds all symbols.
  const chain = Array.from({ length: count }, (_, index) => (index === 0 || index === count - 1 ? 0 : index + 1));
  const hash = bytes(...[1, count, 1, ...chain].map((value) => [value, 4] as const));
  const symbolsAt = Math.ceil((hashAt + hash.length) / 8) * 8;
  const stringsAt = symbolsAt + count * SYMBOL;
  const codeAt = stringsAt + strings.length;
  // mov eax, result; ret
  const code = Buffer.concat([Buffer.from([0xb8]), bytes([result, 4]), Buffer.from([0xc3])]);
  const end = codeAt + code.length;
  const symbols = Buffer.concat([
    Buffer.alloc(SYMBOL),
    ...functions.map((one) =>
      bytes([placeOf(one), 4], [GLOBAL_FUNCTION, 1], [0, 1], [1, 2], [codeAt, 8], [code.length, 8]),
    ),
  ]);

  // The dynamic linker writes to this section.
  const dynamicAt = Math.ceil(end / PAGE) * PAGE;
  const entries = [
    [SONAME, placeOf(name)],
    [HASH, hashAt],
    [SYMBOL_TABLE, symbolsAt],
    [STRING_TABLE, stringsAt],
    [STRING_SIZE, strings.length],
    [SYMBOL_SIZE, SYMBOL],
    [NULL, 0],
  ] as const;
  const dynamic = bytes(...entries.flatMap(([tag, value]) => [[tag, 8] as const, [value, 8] as const]));

  const segment = (type: number, flags: number, at: number, size: number, align: number): Buffer =>
    bytes([type, 4], [flags, 4], [at, 8], [at, 8], [at, 8], [size, 8], [size, 8], [align, 8]);
  const header = Buffer.concat([
    Buffer.from("\x7fELF\x02\x01\x01", "latin1"),
    Buffer.alloc(9),
    // A shared object for x86-64, version 1, without an entry point or sections.
    bytes([3, 2], [62, 2], [1, 4], [0, 8], [ELF_HEADER, 8], [0, 8], [0, 4]),
    bytes([ELF_HEADER, 2], [PROGRAM_HEADER, 2], [4, 2], [0, 2], [0, 2], [0, 2]),
    segment(LOAD, READ | EXECUTE, 0, end, PAGE),
    segment(LOAD, READ | WRITE, dynamicAt, dynamic.length, PAGE),
    segment(DYNAMIC, READ | WRITE, dynamicAt, dynamic.length, 8),
    segment(GNU_STACK, READ | WRITE, 0, 0, 16),
  ]);

  const library = Buffer.alloc(dynamicAt + dynamic.length);
  for (const [part, at] of [
    [header, 0],
    [hash, hashAt],
    [symbols, symbolsAt],
    [strings, stringsAt],
    [code, codeAt],
    [dynamic, dynamicAt],
  ] as const) {
    part.copy(library, at);
  }
  return library;
}
