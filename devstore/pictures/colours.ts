import { hash32 } from "../../prisma/seed/hash.ts";

export interface Palette {
  /** behind everything, two tones */
  sky: string;
  floor: string;
  main: string;
  /** darker parts of the thing */
  shade: string;
  /** straps, soles, handles */
  trim: string;
  /** a highlight */
  light: string;
}

/** What the catalogue calls its colours: hue, saturation, lightness. */
const NAMED: Readonly<Record<string, readonly [number, number, number]>> = {
  Moss: [92, 22, 42],
  Sand: [36, 38, 66],
  Rust: [16, 58, 46],
  Slate: [208, 16, 44],
  Pebble: [32, 8, 58],
  Lichen: [70, 26, 58],
  Pine: [158, 30, 30],
  Clay: [18, 38, 54],
  Ember: [8, 62, 50],
  Midnight: [226, 36, 28],
  Oat: [40, 34, 74],
  Chalk: [40, 14, 82],
  Ink: [222, 26, 24],
  Fern: [118, 26, 40],
  Plum: [320, 26, 38],
  Beech: [32, 42, 60],
  Walnut: [24, 34, 34],
};

const FALLBACK = ["Moss", "Rust", "Slate", "Pine", "Clay", "Ember", "Midnight", "Fern", "Plum", "Sand"];
const BACKDROPS = [36, 96, 150, 200, 222, 20, 48];

const hsl = (hue: number, saturation: number, lightness: number) => `hsl(${hue} ${saturation}% ${lightness}%)`;

/** @param colour the first variant's, when it has one that is known by name */
export function paletteOf(handle: string, colour: string | undefined): Palette {
  const draw = hash32(`picture ${handle}`);
  const fallback = FALLBACK[draw % FALLBACK.length] ?? "Moss";
  const [hue, saturation, lightness] = NAMED[colour ?? ""] ?? NAMED[fallback] ?? [92, 22, 42];
  const backdrop = BACKDROPS[(draw >>> 8) % BACKDROPS.length] ?? 36;
  return {
    sky: hsl(backdrop, 22, 94),
    floor: hsl(backdrop, 18, 88),
    main: hsl(hue, saturation, lightness),
    shade: hsl(hue, saturation, Math.max(14, lightness - 14)),
    trim: hsl(hue, Math.min(18, saturation), 22),
    light: hsl(hue, saturation, Math.min(92, lightness + 18)),
  };
}
