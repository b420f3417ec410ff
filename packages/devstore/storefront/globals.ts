import { moneyFormatOf, moneySymbolOf } from "../foundation/currency.ts";
import { localeRoot, PRIMARY_LOCALE } from "../foundation/request-context.ts";
import type { Store } from "../store/store.ts";
import { AllProducts, cartObject, productObject, type Roots } from "./objects.ts";
import type { StorefrontContext } from "./context.ts";

const LANGUAGES: Readonly<Record<string, string>> = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
  ja: "日本語",
};

/** Path of the login of new customer accounts. */
export const STOREFRONT_LOGIN = "/customer_authentication/login";

/** Templates of customer accounts: https://shopify.dev/docs/api/liquid/objects/request#request-page_type */
const CUSTOMERS = new Set(["account", "login"]);

export function rootsOf({ addresses, locale }: StorefrontContext): Roots {
  return { cdn: addresses.cdn, path: localeRoot(locale) };
}

/** Tells whether the page is the theme editor's preview. */
export function isDesignMode({ url }: StorefrontContext): boolean {
  return url.searchParams.has("design_mode");
}

/** Returns the login from which a customer returns to the page. The login of legacy accounts does not know the page. */
function storefrontLoginUrl(store: Store, context: StorefrontContext): string {
  const { path } = rootsOf(context);
  if (!store.storefrontLogin) return `${path}/account/login`;
  const { pathname, search } = context.url;
  const query = new URLSearchParams({ return_to: path + pathname + search, locale: context.locale });
  return `${STOREFRONT_LOGIN}?${query.toString()}`;
}

/** A page's template and objects. */
export interface PageSubject {
  /** the template's name, as `product` */
  template: string;
  title: string;
  status?: number;
  /** id of the product or collection */
  resourceId?: string;
  objects?: Readonly<Record<string, unknown>>;
}

/** Returns the objects that Liquid has on every page, and the page's own. */
export function globalObjects(store: Store, context: StorefrontContext, subject: PageSubject) {
  const roots = rootsOf(context);
  const { catalog, shop, options } = store;
  const { customer, cart, url } = context;
  const { origin } = new URL(context.addresses.storefront);
  const show = (handle: string) => {
    const product = catalog.published.byHandle(handle);
    return product === undefined ? undefined : productObject(product, roots);
  };
  const languages = options.locales.map((code) => ({
    iso_code: code,
    name: LANGUAGES[code] ?? code,
    endonym_name: LANGUAGES[code] ?? code,
    primary: code === PRIMARY_LOCALE,
    root_url: localeRoot(code) || "/",
  }));
  const language = languages.find(({ iso_code }) => iso_code === context.locale);
  const collections = catalog.published.collections().map(({ handle, title, products }) => ({
    handle,
    title,
    url: `${roots.path}/collections/${handle}`,
    products_count: products.length,
    featured_image: products[0] === undefined ? null : productObject(products[0], roots).featured_image,
  }));
  return {
    shop: {
      id: Number(shop.id),
      name: shop.name,
      url: origin,
      secure_url: origin,
      domain: shop.domain,
      permanent_domain: shop.domain,
      currency: shop.currency,
      money_format: moneyFormatOf(shop.currency),
      locale: "en",
      enabled_locales: languages,
      published_locales: languages,
      customer_accounts_enabled: true,
      email: shop.email,
    },
    customer:
      customer === undefined
        ? null
        : {
            id: Number(customer.id),
            first_name: customer.firstName,
            last_name: customer.lastName,
            name: `${customer.firstName} ${customer.lastName}`,
            email: customer.email,
          },
    cart: cartObject(store, cart, roots),
    collections,
    all_products: new AllProducts(show),
    routes: {
      root_url: roots.path || "/",
      root_path: roots.path,
      cart_url: `${roots.path}/cart`,
      cart_add_url: `${roots.path}/cart/add`,
      cart_change_url: `${roots.path}/cart/change`,
      cart_update_url: `${roots.path}/cart/update`,
      all_products_collection_url: `${roots.path}/collections/all`,
      collections_url: `${roots.path}/collections`,
      search_url: `${roots.path}/search`,
      account_url: `${roots.path}/account`,
      account_login_url: `${roots.path}/account/login`,
      storefront_login_url: storefrontLoginUrl(store, context),
      account_logout_url: `${roots.path}/account/logout`,
    },
    request: {
      locale: language,
      host: new URL(origin).host,
      origin,
      path: `${roots.path}${url.pathname}`,
      page_type: CUSTOMERS.has(subject.template) ? `customers/${subject.template}` : subject.template,
      design_mode: isDesignMode(context),
      visual_preview_mode: false,
    },
    localization: {
      language,
      available_languages: languages,
      country: {
        iso_code: "DE",
        name: "Germany",
        currency: { iso_code: shop.currency, symbol: moneySymbolOf(shop.currency) },
      },
    },
    settings: {},
    template: { name: subject.template, suffix: null, directory: null },
    page_title: subject.title,
    consent_banner: store.consentBanner,
    current_page: Number(url.searchParams.get("page") ?? 1) || 1,
    canonical_url: origin + url.pathname,
    wishlist_page_url: `${roots.path}/pages/wishlist`,
    proxy_url: `${roots.path}/${options.appProxy.prefix}/${options.appProxy.subpath}`,
    ...subject.objects,
  };
}
