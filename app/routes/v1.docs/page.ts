import { HEART, ICON, PRODUCT } from "../../brand.ts";

/** Swagger UI under a header of our own. */
export function docsPage({ styles, scripts }: { styles: readonly string[]; scripts: readonly string[] }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API documentation · ${PRODUCT}</title>
<meta name="description" content="The /v1 API of ${PRODUCT}: every operation, its answers and errors, ready to try.">
<link rel="icon" href="${ICON}">
${styles.map((href) => `<link rel="stylesheet" href="${href}">`).join("\n")}
</head>
<body>
<header class="masthead">
<a class="product" href="/"><svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true"><path d="${HEART}"/></svg>${PRODUCT}</a>
<span class="section">API documentation</span>
<a class="document" href="/v1/openapi.json">openapi.json</a>
</header>
<main id="operations"><p class="waiting">Loading the API’s operations …</p></main>
<noscript><p class="waiting">This page needs JavaScript. The same in plain form: <a href="/v1/openapi.json">openapi.json</a></p></noscript>
${scripts.map((src) => `<script src="${src}" defer></script>`).join("\n")}
</body>
</html>
`;
}
