import { PICTURE_SIZE } from "./address.ts";
import { paletteOf } from "./colours.ts";
import { GEAR } from "./gear.ts";
import { box, oval, type Shape } from "./strokes.ts";
import { WEAR } from "./wear.ts";

interface Pictured {
  handle: string;
  title: string;
  variants: readonly { options: readonly string[] }[];
}

const parcel: Shape = ({ main, shade, light }) =>
  box(main, 230, 300, 340, 340, 20) + box(shade, 370, 300, 60, 340, 0) + box(light, 230, 300, 340, 60, 20);

const clothes = /Women|Men's|Kids' Rain|Jacket|Merino|Boot(?! Care)|Shoe/;

function shapeOf(title: string): Shape {
  const tables = clothes.test(title) ? [...WEAR, ...GEAR] : [...GEAR, ...WEAR];
  return tables.find(([name]) => name.test(title))?.[1] ?? parcel;
}

/** A product's picture as SVG: the same product always gets the same one. */
export function drawProduct({ handle, title, variants }: Pictured): string {
  const colour = variants[0]?.options.findLast((option) => /^[A-Z][a-z]+$/.test(option));
  const palette = paletteOf(handle, colour);
  const size = PICTURE_SIZE;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size}" height="${size}">` +
    `<rect width="${size}" height="${size}" fill="${palette.sky}"/>` +
    `<path fill="${palette.floor}" d="M0 600 q400 -60 800 0 v200 h-800z"/>` +
    `<g opacity=".14">${oval(palette.trim, 400, 648, 260, 20)}</g>` +
    `${shapeOf(title)(palette)}</svg>`
  );
}
