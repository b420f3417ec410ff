import { scriptJson } from "../foundation/html.ts";
import { localeRoot } from "../foundation/request-context.ts";
import type { Store } from "../store/store.ts";
import { isDesignMode, type PageSubject } from "./globals.ts";
import type { PageState } from "./liquid/page-state.ts";
import type { StorefrontContext } from "./context.ts";

/** Returns `content_for_header`: the globals of Shopify's own scripts and analytics that apps read. */
export function contentForHeader({ shop }: Store, context: StorefrontContext, subject: PageSubject): string {
  const { locale, customer, url } = context;
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
    locale,
    currency: { active: shop.currency, rate: "1.0" },
    country: "DE",
    theme: { name: "Larkfell", id: 130_000_000_001, schema_name: "Larkfell", role: "main" },
    ...(isDesignMode(context) && { designMode: true }),
    routes: { root: localeRoot(locale) || "/" },
  };
  return (
    `<script id="shopify-features">window.Shopify = Object.assign(window.Shopify || {}, ${scriptJson(global)});</script>` +
    `<script id="__st">var __st=${scriptJson(st)};</script>` +
    `<script>window.ShopifyAnalytics = { meta: { page: ${scriptJson(page)}, currency: ${scriptJson(shop.currency)} } };</script>` +
    ASSETS
  );
}

/** Placeholder for the styles and scripts that are known only once the whole page is rendered. */
const ASSETS = "<!-- assets of sections and blocks -->";

/** Replaces the placeholder with the assets that sections and blocks have registered. */
export function withAssets(html: string, { styles, scripts, assets }: PageState): string {
  const tags = [
    ...assets,
    ...[...styles].map((css) => `<style>${css}</style>`),
    ...[...scripts].map((code) => `<script defer>addEventListener("DOMContentLoaded",()=>{${code}});</script>`),
  ];
  return html.replace(ASSETS, () => tags.join("\n"));
}
