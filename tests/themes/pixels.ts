import { expect } from "vitest";
import { OFTEN, type ThemeVisit } from "./visit.ts";

/** Returns the luminances of the first heart's disc with their pixel counts, the most frequent first. */
async function luminances(visit: ThemeVisit): Promise<[luminance: number, pixels: number][]> {
  await visit.waitUntilIdle();
  const handle = await visit.page.evaluate(
    () => window.probe.hearts().find(({ hearts }) => hearts.length > 0)?.handle ?? "",
  );
  const size = visit.page.viewportSize() ?? { width: 0, height: 0 };
  let { x, y } = { x: 0, y: 0 };
  // Changes of an earlier test may still move the page under the heart.
  await expect
    .poll(async () => {
      ({ x, y } = await visit.page.evaluate((one) => window.probe.aim(one), handle));
      return x > 12 && y > 12 && x < size.width - 12 && y < size.height - 12;
    }, OFTEN)
    .toBe(true);
  // Only the disc: the heart's 44 pixels include a margin for touch.
  const clip = { x: x - 12, y: y - 12, width: 24, height: 24 };
  const picture = (await visit.page.screenshot({ clip, animations: "disabled" })).toString("base64");
  return visit.page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width;
    canvas.height = image.height;
    const context = canvas.getContext("2d");
    if (!context) return [];
    context.drawImage(image, 0, 0);
    const { data: bytes } = context.getImageData(0, 0, image.width, image.height);
    const counts = new Map<number, number>();
    for (let at = 0; at < bytes.length; at += 4) {
      const [red = 0, green = 0, blue = 0] = [...bytes.slice(at, at + 3)].map((byte) => {
        const part = byte / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      const luminance = Math.round((0.2126 * red + 0.7152 * green + 0.0722 * blue) * 100) / 100;
      counts.set(luminance, (counts.get(luminance) ?? 0) + 1);
    }
    return [...counts].sort(([, one], [, other]) => other - one);
  }, picture);
}

/** Returns the number of distinguishable colours of the heart. */
export async function colours(visit: ThemeVisit): Promise<number> {
  return (await luminances(visit)).filter(([, pixels]) => pixels > 8).length;
}

/** Returns the contrast of the icon with its disc: the strongest against the most frequent colour. */
export async function contrasts(visit: ThemeVisit): Promise<number> {
  const [[disc] = [0], ...others] = await luminances(visit);
  const ratios = others.map(([icon]) => (Math.max(disc, icon) + 0.05) / (Math.min(disc, icon) + 0.05));
  return Math.max(1, ...ratios);
}
