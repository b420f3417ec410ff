import { PICTURE_SIZE } from "./address.ts";
import { paletteOf } from "./colours.ts";
import { GEAR } from "./gear.ts";
import { WEAR, type Shape } from "./wear.ts";

interface Pictured {
  handle: string;
  title: string;
  variants: readonly { options: readonly string[] }[];
}

const parcel: Shape = ({ main, shade, light }) =>
  `<rect fill="${main}" x="230" y="300" width="340" height="340" rx="20"/><rect fill="${shade}" x="370" y="300" width="60" height="340"/><rect fill="${light}" x="230" y="300" width="340" height="60" rx="20"/>`;

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
    `<ellipse cx="400" cy="648" rx="260" ry="20" fill="${palette.trim}" opacity=".14"/>` +
    `${shapeOf(title)(palette)}</svg>`
  );
}
