import type { OpenApiDocument } from "../../http/v1/openapi/document.ts";

let source: (() => OpenApiDocument) | undefined;

/** Sets the source of the document. The page can't import it, because the document describes the page and imports its route. */
export function provideDocument(from: () => OpenApiDocument): void {
  source = from;
}

export function providedDocument(): OpenApiDocument {
  if (!source) throw new Error("the documentation page was requested before the document was provided");
  return source();
}
