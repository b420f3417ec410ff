import { getOperationAST, GraphQLError, parse, validate, type DocumentNode, type GraphQLSchema } from "graphql";
import { z } from "zod";

const bodySchema = z.object({
  query: z.string().min(1),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
});

/** The version in the path of an API. */
export const API_VERSION = /^(?:\d{4}-(?:01|04|07|10)|unstable)$/;

/** A valid query with the name of its operation. */
export interface ParsedQuery {
  document: DocumentNode;
  request: { operation: string; variables: Readonly<Record<string, unknown>> };
  operationName: string | null | undefined;
}

/** Parses and validates the body of a request. @returns the query, or the errors with their HTTP status */
export async function parseRequest(
  schema: GraphQLSchema,
  request: Request,
): Promise<ParsedQuery | { status: number; errors: unknown }> {
  const missing = { status: 400, errors: { query: "Required parameter missing or invalid" } };
  if (!(request.headers.get("content-type") ?? "").startsWith("application/json")) return missing;
  const body = bodySchema.safeParse(await request.json().catch(() => undefined));
  if (!body.success) return missing;
  const { query, variables, operationName } = body.data;
  try {
    const document = parse(query);
    const errors = validate(schema, document);
    if (errors.length > 0) return { status: 200, errors };
    const operation = getOperationAST(document, operationName);
    const name = operation?.name?.value ?? operation?.operation ?? "?";
    return { document, operationName, request: { operation: name, variables: variables ?? {} } };
  } catch (error) {
    if (error instanceof GraphQLError) return { status: 200, errors: [error] };
    throw error;
  }
}
