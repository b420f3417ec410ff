import type { OpenApiDocument } from "../../http/v1/openapi/document.ts";

let source: (() => OpenApiDocument) | undefined;

/** Says where the page gets the document from, which describes the page as well: the two can't import each other. */
export function provideDocument(from: () => OpenApiDocument): void {
  source = from;
}

export function providedDocument(): OpenApiDocument {
  if (!source) throw new Error("the documentation page was asked for before the document was provided");
  return source();
}
