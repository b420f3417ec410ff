import { env } from "../../platform/process/env.server.ts";
import { randomBase62 } from "../../platform/ids.server.ts";

/** Origins that may frame the app. When the shop is known, Shopify's library restricts them to that shop. */
const SHOPIFY_FRAME_ANCESTORS = "https://admin.shopify.com https://*.myshopify.com";

/** Origins from which App Bridge and Polaris load files, and to which App Bridge reports. */
const SHOPIFY_CDN = "https://cdn.shopify.com";
const SHOPIFY_HOSTS = "https://*.shopify.com https://*.shopifycloud.com https://*.shopifysvc.com";

/** Headers of every HTML page. Browsers ignore `Strict-Transport-Security` over plain HTTP. */
export const PAGE_HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Strict-Transport-Security": "max-age=31536000",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
} as const;

/** Generates the nonce that the scripts of one response carry. */
export function newNonce(): string {
  return randomBase62(22);
}

const BASE_POLICY = ["default-src 'none'", "base-uri 'none'", "object-src 'none'"];

/** Returns the Content-Security-Policy of a page without scripts and with inline styles. */
export function staticPagePolicy({ framed }: { framed: boolean }): string {
  return [
    ...BASE_POLICY,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "form-action 'none'",
    `frame-ancestors ${framed ? SHOPIFY_FRAME_ANCESTORS : "'none'"}`,
  ].join("; ");
}

/**
 * Returns the Content-Security-Policy of a page in Shopify's admin. Scripts come from the build, from Shopify, or carry the nonce. Polaris and the
 * charts use inline styles. Product images may come from any host, and from the devstore, which uses plain HTTP.
 * @param shopifyPolicy policy of Shopify's library, whose `frame-ancestors` is kept
 */
export function adminPolicy(nonce: string, shopifyPolicy: string | null): string {
  const { devstoreUrl } = env();
  const frames = /frame-ancestors [^;]+/.exec(shopifyPolicy ?? "")?.[0] ?? `frame-ancestors ${SHOPIFY_FRAME_ANCESTORS}`;
  return [
    ...BASE_POLICY,
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

/** Adds a policy and nonces to a page of Shopify's library, which contains inline scripts. Returns other responses unchanged. */
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
