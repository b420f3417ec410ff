import { scriptJson } from "../foundation/html.ts";
import { localeRoot } from "../foundation/request-context.ts";
import type { Store } from "../store/store.ts";
import { isDesignMode, type PageSubject } from "./globals.ts";
import type { PageState } from "./liquid/page-state.ts";
import type { StorefrontContext } from "./context.ts";

/** Returns `content_for_header`: the globals of Shopify's own scripts and analytics that apps read. */
export function contentForHeader(
  { shop, consentBanner }: Store,
  context: StorefrontContext,
  subject: PageSubject,
): string {
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
    featureLoader(context.addresses.cdn, consentBanner) +
    ASSETS
  );
}

/** Returns `Shopify.loadFeatures`, which loads Shopify's further APIs on request. A banner needs the API at once. */
function featureLoader(cdn: string, consentBanner: boolean): string {
  const features = { "consent-tracking-api 0.1": `${cdn}/shopifycloud/consent-tracking-api.js` };
  const code = `(() => {
    const features = ${scriptJson(features)};
    const loaded = {};
    const load = ({ name, version }) => loaded[name] ??= new Promise((resolve, reject) => {
      const src = features[name + " " + version];
      if (!src) throw new Error("There is no feature " + name + " " + version);
      document.head.append(Object.assign(document.createElement("script"), { src, onload: resolve, onerror: reject }));
    });
    Shopify.loadFeatures = (wanted, callback = () => {}) => {
      Promise.all(wanted.map(load)).then(() => callback(), (error) => callback(error));
    };
    ${consentBanner ? 'Shopify.loadFeatures([{ name: "consent-tracking-api", version: "0.1" }]);' : ""}
  })();`;
  const config = `<script type="application/json" id="shopify-consent-config">${scriptJson({ consentRequired: consentBanner })}</script>`;
  return `${config}<script>${code}</script>`;
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
