import type { HeaderObject, HeaderReferences } from "./headers.ts";
import type { Schema } from "./schemas.ts";

// The subset of OpenAPI 3.1 that the document uses.

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description: string;
  schema: Schema;
  example?: unknown;
}

export interface ExampleObject {
  summary: string;
  description?: string;
  value: unknown;
}

export interface Content {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, ExampleObject | { $ref: string }>;
}

export interface ResponseObject {
  description: string;
  headers: HeaderReferences;
  content?: Record<string, Content>;
}

/** A call of an operation in a language, for pages that show the document. */
export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

export interface Operation {
  operationId: string;
  /** the SDK's method for the operation */
  "x-sdk-method": string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { required: true; content: Record<string, Content> };
  responses: Record<string, ResponseObject | { $ref: string }>;
  "x-codeSamples": CodeSample[];
}

/** A request that the service sends. */
export interface WebhookOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: [];
  requestBody: { required: true; content: Record<string, Content> };
  responses: Record<string, { description: string }>;
}

export interface OpenApiDocument {
  openapi: "3.1.0";
  info: {
    title: string;
    version: string;
    summary: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: WebhookOperation }>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, ResponseObject>;
    headers: Record<string, HeaderObject>;
    examples: Record<string, ExampleObject>;
    securitySchemes: Record<string, Record<string, string>>;
  };
}
