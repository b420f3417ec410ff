export interface Config {
  apiKey: string;
  shop: string;
  host: string;
  locale: string;
  appOrigins: string[];
}

const KEPT = "devstore:app-bridge";

/** What the admin put into the first page's address; later pages of the app no longer have it there. */
function parameter(name: string): string {
  const given = new URLSearchParams(location.search).get(name);
  const key = `${KEPT}:${name}`;
  try {
    if (given !== null) sessionStorage.setItem(key, given);
    return given ?? sessionStorage.getItem(key) ?? "";
  } catch {
    // The app works without storage, too.
    return given ?? "";
  }
}

/** @throws Error when the page does not say whose it is: App Bridge refuses to start then. */
export function readConfig(): Config {
  const script =
    document.currentScript instanceof HTMLScriptElement ? document.currentScript.dataset["apiKey"] : undefined;
  const apiKey = document.querySelector<HTMLMetaElement>('meta[name="shopify-api-key"]')?.content ?? script ?? "";
  if (apiKey === "") {
    throw new Error(
      'App Bridge needs the app\'s client id: <meta name="shopify-api-key"> or data-api-key on its script',
    );
  }
  const origins = document.querySelector<HTMLMetaElement>('meta[name="shopify-app-origins"]')?.content ?? "";
  return {
    apiKey,
    shop: parameter("shop"),
    host: parameter("host"),
    locale: parameter("locale") || "en",
    appOrigins: origins.split(",").filter((origin) => origin !== ""),
  };
}
