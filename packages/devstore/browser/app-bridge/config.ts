export interface Config {
  apiKey: string;
  shop: string;
  host: string;
  locale: string;
  appOrigins: string[];
}

const KEPT = "devstore:app-bridge";

/** The parameters that the admin adds to the first page's address; later pages lack them. */
function parameter(name: string): string {
  const given = new URLSearchParams(location.search).get(name);
  const key = `${KEPT}:${name}`;
  try {
    if (given !== null) sessionStorage.setItem(key, given);
    return given ?? sessionStorage.getItem(key) ?? "";
  } catch {
    // The app also works without storage.
    return given ?? "";
  }
}

/** Reads the configuration. @throws Error without an API key: App Bridge refuses to start */
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
