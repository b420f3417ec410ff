import { localeRoot } from "../http/visit.ts";
import type { Store } from "../store/store.ts";
import { isDesignMode, type Subject } from "./globals.ts";
import type { PageState } from "./liquid/page-state.ts";
import type { Visit } from "./visitor.ts";

/** JSON that may stand in a script. */
export function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", String.raw`\u003c`);
}

/** `content_for_header`: what Shopify's own scripts and analytics leave in a page, as far as apps read it. */
export function contentForHeader({ shop }: Store, visit: Visit, subject: Subject): string {
  const { arrival, customer, url } = visit;
  const page = {
    pageType: subject.template,
    ...(subject.resourceId !== undefined && {
      resourceType: subject.template,
      resourceId: Number(subject.resourceId),
    }),
    ...(customer !== undefined && { customerId: Number(customer.id) }),
  };
  const st = {
    a: Number(shop.id),
    offset: 0,
    pageurl: `${shop.domain}${url.pathname}`,
    p: subject.template,
    ...(subject.resourceId !== undefined && { rtyp: subject.template, rid: Number(subject.resourceId) }),
    ...(customer !== undefined && { cid: Number(customer.id) }),
  };
  const global = {
    shop: shop.domain,
    locale: arrival.locale,
    currency: { active: shop.currency, rate: "1.0" },
    country: "DE",
    theme: { name: "Larkfell", id: 130_000_000_001, schema_name: "Larkfell", role: "main" },
    ...(isDesignMode(visit) && { designMode: true }),
    routes: { root: localeRoot(arrival.locale) || "/" },
  };
  return (
    `<script id="shopify-features">window.Shopify = Object.assign(window.Shopify || {}, ${inScript(global)});</script>` +
    `<script id="__st">var __st=${inScript(st)};</script>` +
    `<script>window.ShopifyAnalytics = { meta: { page: ${inScript(page)}, currency: ${inScript(shop.currency)} } };</script>` +
    ASSETS
  );
}

/** Where the styles and scripts go that are known only when the whole page has been rendered. */
const ASSETS = "<!-- assets of sections and blocks -->";

export function withAssets(html: string, { styles, scripts, assets }: PageState): string {
  const tags = [
    ...assets,
    ...[...styles].map((css) => `<style>${css}</style>`),
    ...[...scripts].map((code) => `<script defer>addEventListener("DOMContentLoaded",()=>{${code}});</script>`),
  ];
  return html.replace(ASSETS, () => tags.join("\n"));
}
