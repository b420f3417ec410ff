import { Drop } from "liquidjs";
import { z } from "zod";
import { escapeHtml } from "../../foundation/html.ts";

const imageSchema = z.object({ src: z.string(), alt: z.string().nullish() });
/** An image, or an object that has one: a product, a cart line, a media object. */
const withImage = z.union([
  imageSchema,
  z.object({ featured_image: imageSchema }).transform(({ featured_image }) => featured_image),
  z.object({ image: imageSchema }).transform(({ image }) => image),
  z.object({ preview_image: imageSchema }).transform(({ preview_image }) => preview_image),
]);

/** The result of `image_url`: renders as the URL, and keeps the alternative text for `image_tag`. */
class ImageUrl extends Drop {
  readonly url: string;
  readonly alt: string;
  readonly width: number | undefined;
  constructor(url: string, alt: string, width: number | undefined) {
    super();
    this.url = url;
    this.alt = alt;
    this.width = width;
  }
  override valueOf(): string {
    return this.url;
  }
  override toString(): string {
    return this.url;
  }
}

export type Named = Readonly<Record<string, unknown>>;

/** Returns a filter's named arguments, which liquidjs passes as pairs after the others. */
export function namedArguments(args: readonly unknown[]): Named {
  const named: Record<string, unknown> = {};
  for (const argument of args) {
    if (Array.isArray(argument) && argument.length === 2 && typeof argument[0] === "string") {
      named[argument[0]] = argument[1];
    }
  }
  return named;
}

function sized(src: string, sizes: Named): string {
  const query = Object.entries(sizes)
    .filter(([name, value]) => (name === "width" || name === "height") && Number(value) > 0)
    .map(([name, value]) => `${name}=${String(value)}`);
  return query.length === 0 ? src : `${src}?${query.join("&")}`;
}

function imageUrl(input: unknown, ...args: unknown[]): unknown {
  const image = withImage.safeParse(input);
  if (!image.success) return "";
  const named = namedArguments(args);
  const width = Number(named["width"]);
  return new ImageUrl(sized(image.data.src, named), image.data.alt ?? "", width > 0 ? width : undefined);
}

const WIDTHS = [165, 240, 360, 480, 720, 960];

function imageTag(input: unknown, ...args: unknown[]): string {
  const url = input instanceof ImageUrl ? input.url : String(input);
  if (url === "") return "";
  const { widths, preload: _preload, ...named } = namedArguments(args);
  const known = input instanceof ImageUrl ? { alt: input.alt, width: input.width } : { alt: "", width: undefined };
  const list = typeof widths === "string" ? widths.split(",").map(Number) : WIDTHS;
  const base = url.replace(/\?.*/, "");
  const srcset = list
    .filter((width) => known.width === undefined || width <= known.width)
    .map((width) => `${base}?width=${width} ${width}w`)
    .join(", ");
  const attributes: Record<string, unknown> = {
    src: url,
    srcset: srcset === "" ? undefined : srcset,
    alt: known.alt,
    // All pictures are square.
    width: known.width,
    height: known.width,
    ...named,
  };
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined && value !== null && value !== false)
    .map(([name, value]) => `${name}="${escapeHtml(String(value))}"`);
  return `<img ${written.join(" ")}>`;
}

export const imageFilters = { image_url: imageUrl, img_url: imageUrl, image_tag: imageTag };
