import { Liquid } from "liquidjs";

export interface ThemeVariant {
  id: number;
  title: string;
  /** in cents, like in Liquid */
  price: number;
  compare_at_price?: number;
  available: boolean;
}

export interface ThemeProduct {
  id: number;
  handle: string;
  title: string;
  /** a colour as a picture; "" for none */
  colour: string;
  variants: ThemeVariant[];
}

function picture(colour: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="100" height="100" fill="${colour}"/><circle cx="50" cy="55" r="26" fill="#fff" opacity=".55"/></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}

function drop({ id, handle, title, colour, variants }: ThemeProduct): object {
  const url = `/products/${handle}`;
  return {
    id,
    handle,
    title,
    url,
    featured_image: colour === "" ? null : picture(colour),
    has_only_default_variant: variants.length === 1,
    variants: variants.map((variant) => ({ ...variant, url: `${url}?variant=${variant.id}` })),
  };
}

const engine = new Liquid();
engine.registerFilter("image_url", (image: unknown) => String(image));
engine.registerFilter("money", (cents: unknown) => `€${(Number(cents) / 100).toFixed(2)}`);

/** Renders a response of the app proxy like a store's theme, with Liquid's objects only. */
export async function renderLiquid(
  liquid: string,
  {
    products,
    locale = "en",
    loginUrl,
  }: { products: readonly ThemeProduct[]; locale?: string; loginUrl?: string | undefined },
): Promise<string> {
  const rendered: unknown = await engine.parseAndRender(liquid, {
    all_products: Object.fromEntries(products.map((product) => [product.handle, drop(product)])),
    request: { locale: { iso_code: locale } },
    routes: { cart_add_url: "/cart/add", account_login_url: "/account/login", storefront_login_url: loginUrl },
  });
  return String(rendered);
}

/** A page of a theme like Dawn. */
export function themeLayout(content: string, head = ""): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Store</title><style>
:root { --color-foreground: 18, 18, 18; --color-background: 255, 255, 255; }
* { box-sizing: border-box } body { margin: 0; font: 16px/1.5 Assistant, "Helvetica Neue", sans-serif; color: rgba(18, 18, 18, .85) }
.site { padding: 1.25rem 2rem; border-bottom: 1px solid #ddd; font-size: 1.4rem } h1 { font-size: 2.2rem; font-weight: 400 } h2 { font-weight: 400 }
.button { display: inline-flex; justify-content: center; align-items: center; min-height: 45px; padding: 0 1.5rem; border: 1px solid #121212; background: #121212; color: #fff; font: inherit; cursor: pointer; text-decoration: none }
.button--secondary { background: #fff; color: #121212 } .button--tertiary { background: none; color: #121212; border-color: rgba(18,18,18,.3) }
</style>${head}</head><body><header class="site">Larkfell Outdoor</header><main>${content}</main></body></html>`;
}
