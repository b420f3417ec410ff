import { z } from "zod";
import { log } from "../platform/log/log.server.ts";
import { readStart } from "../platform/read-start.server.ts";
import { luminanceOf } from "./colour.ts";

// The Admin API has no field for a store's brand, and its theme's settings need `read_themes`, which the app does not ask for. The Storefront API
// shows the brand to everybody.

const PATH = "/api/2026-10/graphql.json";
/** Bytes that are read of a response. */
const RESPONSE_LIMIT = 64 * 1_024;
/** A color above this luminance is hard to tell from the white of a message: its contrast is below 1.5 (WCAG 2.2). */
const LIGHTEST = 0.65;

/** Mail programs do not show SVG. A logo is 40 points high, and some screens have three pixels to a point. */
const BRAND = `#graphql storefront
  query StoreBrand {
    shop {
      brand {
        logo { image { url(transform: { maxHeight: 120, preferredContentType: PNG }) } }
        colors { primary { background } secondary { background } }
      }
    }
  }`;

const colors = z.array(z.object({ background: z.string().nullable() }));

const responseSchema = z.object({
  data: z.object({
    shop: z.object({
      brand: z
        .object({
          logo: z.object({ image: z.object({ url: z.url({ protocol: /^https$/ }) }).nullable() }).nullable(),
          colors: z.object({ primary: colors, secondary: colors }),
        })
        .nullable(),
    }),
  }),
});

/** Sends a request to the Storefront API of a store. */
export type StorefrontFetch = (
  url: string,
  request: { method: "POST"; headers: Record<string, string>; body: string; redirect: "error"; signal: AbortSignal },
) => Promise<Response>;

let send: StorefrontFetch | undefined;

/** Sets the function that sends requests to stores. Before that, no store's brand is known. */
export function connectStorefronts(to: StorefrontFetch): void {
  send = to;
}

export interface Brand {
  /** such as #1a1a1a */
  accent: string | undefined;
  logoUrl: string | undefined;
}

const UNKNOWN: Brand = { accent: undefined, logoUrl: undefined };

function accentOf(given: readonly { background: string | null }[]): string | undefined {
  return given
    .flatMap(({ background }) => background?.toLowerCase() ?? [])
    .find((colour) => /^#[\da-f]{6}$/.test(colour) && luminanceOf(colour) <= LIGHTEST);
}

/**
 * Returns the color and the logo that staff have set as the store's brand, as far as there are any and the store says so.
 * @param within milliseconds
 */
export async function readBrand(shop: string, within: number): Promise<Brand> {
  if (!send) return UNKNOWN;
  let text: string;
  try {
    const response = await send(`https://${shop}${PATH}`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ query: BRAND }),
      redirect: "error",
      signal: AbortSignal.timeout(within),
    });
    text = await readStart(response, RESPONSE_LIMIT);
    // A store can refuse requests without a token, for example while it is closed.
    if (!response.ok) return UNKNOWN;
  } catch {
    // The store does not respond in time.
    return UNKNOWN;
  }
  try {
    const { brand } = responseSchema.parse(JSON.parse(text)).data.shop;
    if (!brand) return UNKNOWN;
    return {
      accent: accentOf([...brand.colors.primary, ...brand.colors.secondary]),
      logoUrl: brand.logo?.image?.url,
    };
  } catch (error) {
    log.error({ shop, err: error }, "could not read the brand of a store");
    return UNKNOWN;
  }
}
