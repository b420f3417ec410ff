import { env } from "../../platform/env.server.ts";
import { randomBase62 } from "../../platform/ids.server.ts";

/** Where Shopify's admin shows the app. A page whose shop is known names that shop instead of all. */
const SHOPIFY_FRAMES = "https://admin.shopify.com https://*.myshopify.com";

/** What App Bridge and Polaris load, and what App Bridge reports to. */
const SHOPIFY_CDN = "https://cdn.shopify.com";
const SHOPIFY_HOSTS = "https://*.shopify.com https://*.shopifycloud.com https://*.shopifysvc.com";

/** Headers of every page in HTML. Browsers ignore `Strict-Transport-Security` over plain HTTP. */
export const PAGE_HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Strict-Transport-Security": "max-age=31536000",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
} as const;

/** A value that only this answer's own scripts carry. */
export function newNonce(): string {
  return randomBase62(22);
}

const NOTHING = ["default-src 'none'", "base-uri 'none'", "object-src 'none'"];

/** The policy of a page without scripts. Its styles stand in the page. */
export function plainPolicy({ framed }: { framed: boolean }): string {
  return [
    ...NOTHING,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "form-action 'none'",
    `frame-ancestors ${framed ? SHOPIFY_FRAMES : "'none'"}`,
  ].join("; ");
}

/**
 * The policy of a page in Shopify's admin. Scripts come from the build, from Shopify, or carry the nonce; styles may stand in attributes,
 * where Polaris and the charts put them. Product pictures may come from any host, and from the devstore, which speaks plain HTTP.
 * @param given Shopify's own policy, which says who may frame the page
 */
export function adminPolicy(nonce: string, given: string | null): string {
  const { devstoreUrl } = env();
  const frames = /frame-ancestors [^;]+/.exec(given ?? "")?.[0] ?? `frame-ancestors ${SHOPIFY_FRAMES}`;
  return [
    ...NOTHING,
    `script-src 'self' 'nonce-${nonce}' ${SHOPIFY_CDN}`,
    `style-src 'self' 'unsafe-inline' ${SHOPIFY_CDN}`,
    `font-src 'self' ${SHOPIFY_CDN}`,
    `img-src 'self' data: blob: https:${devstoreUrl === undefined ? "" : ` ${devstoreUrl}`}`,
    `connect-src 'self' ${SHOPIFY_CDN} ${SHOPIFY_HOSTS}`,
    `frame-src 'self' ${SHOPIFY_HOSTS}`,
    "form-action 'self'",
    frames,
  ].join("; ");
}

/**
 * Adds policy and nonce to a page of Shopify's library, which brings scripts that stand in the page. Any other response stays as it is.
 */
export async function withPolicy(response: Response): Promise<Response> {
  const { status, headers } = response;
  if (!(headers.get("Content-Type") ?? "").startsWith("text/html")) return response;
  const nonce = newNonce();
  const html = await response.text();
  const policy = adminPolicy(nonce, headers.get("Content-Security-Policy"));
  for (const [name, value] of Object.entries({ ...PAGE_HEADERS, "Content-Security-Policy": policy }))
    headers.set(name, value);
  return new Response(html.replaceAll("<script", `<script nonce="${nonce}"`), { status, headers });
}
