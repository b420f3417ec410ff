import { HEART, ICON, PRODUCT } from "../../../brand.ts";
import { isFailureCode, statusOf } from "../../../http/failure-registry.ts";
import type { OpenApiDocument, Operation } from "../../../http/v1/openapi/document.ts";
import { escapeHtml, inlineHtml, sectionsOf } from "./markdown.ts";

/** The URLs of the page's files. */
export interface PageFiles {
  style: string;
  script: string;
  /** Swagger UI, which is loaded when the first operation is opened */
  consoleStyles: readonly string[];
  consoleScript: string;
  /** the collection for API clients */
  collection: string;
}

function section(id: string, title: string, html: string): string {
  return `<details id="${id}"><summary><h2>${escapeHtml(title)}</h2></summary>${html}</details>`;
}

/** Lists each error once; the operations link to the list. */
function errors({ components }: OpenApiDocument): string {
  const rows = Object.entries(components.examples)
    .map(([code, { description = "" }]) => ({ code, description, status: isFailureCode(code) ? statusOf(code) : 0 }))
    .sort((a, b) => a.status - b.status)
    .map(
      ({ code, description, status }) =>
        `<tr id="error-${code}"><td>${status}</td><td><code>${code}</code></td><td>${inlineHtml(description)}</td></tr>`,
    );
  return `<table><thead><tr><th>status</th><th>code</th><th>when</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

function guide(document: OpenApiDocument): string {
  const sections = sectionsOf(document.info.description).map(({ title, html }) =>
    section(`guide-${title.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`, title, html),
  );
  return [...sections, section("errors", "Error codes", errors(document))].join("\n");
}

function operationLink(method: string, path: string, { tags: [tag = ""], operationId, summary }: Operation): string {
  return `<li><a class="operation ${method}" href="#/${tag}/${operationId}"><b>${method.toUpperCase()}</b> <code>${escapeHtml(path).replaceAll("/", "/<wbr>")}</code> <span>${inlineHtml(summary)}</span></a></li>`;
}

function operations({ tags, paths }: OpenApiDocument): string {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  return tags
    .map(({ name, description }) => {
      const links = all
        .filter(({ operation }) => operation.tags.includes(name))
        .map(({ method, path, operation }) => operationLink(method, path, operation));
      return `<section><h3>${escapeHtml(name)} <small>${escapeHtml(description)}</small></h3>\n<ul>${links.join("\n")}</ul></section>`;
    })
    .join("\n");
}

/** Returns the page with the guide and the list of operations. Swagger UI replaces the list when an operation is opened. */
export function docsPage(document: OpenApiDocument, files: PageFiles): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API documentation · ${PRODUCT}</title>
<meta name="description" content="The /v1 API of ${PRODUCT}: every operation, its responses and errors, ready to try.">
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${files.style}">
</head>
<body>
<header class="masthead">
<a class="product" href="/"><svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true"><path d="${HEART}"/></svg>${PRODUCT}</a>
<span class="section">API documentation</span>
<nav aria-label="Downloads">
<a class="document" href="/v1/openapi.json" title="The OpenAPI 3.1 document, for code generators">OpenAPI</a>
<a class="document" href="${files.collection}" download="wishlist-headless.postman_collection.json" title="A collection for Postman, Insomnia, Bruno and Hoppscotch">Collection</a>
</nav>
</header>
<div class="columns">
<aside class="guide" aria-label="Guide">
<h1>${escapeHtml(document.info.title)} <small>${escapeHtml(document.info.version)}</small></h1>
<p>${inlineHtml(document.info.summary)}</p>
${guide(document)}
</aside>
<div class="content">
<div class="list-head" role="search"><h2>Operations</h2>
<input id="search" type="search" aria-label="Search operations" placeholder="Search, for example: share" aria-keyshortcuts="/" aria-controls="list">
<a class="try" href="#/">Try the API</a>
<p id="found" role="status"></p></div>
<main id="list">
${operations(document)}
</main>
<div id="console" data-script="${files.consoleScript}" data-styles="${files.consoleStyles.join(" ")}" hidden></div>
</div>
</div>
<script src="${files.script}" defer></script>
</body>
</html>
`;
}
