import { GraphQLError } from "graphql";

const DOCUMENTATION = "https://shopify.dev/api/usage/access-scopes";

/** A mistake of the caller's, in an argument. */
export function badUserInput(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: "BAD_REQUEST" } });
}

export interface Caller {
  scopes: readonly string[];
}

/** @throws GraphQLError when the access token lacks the scope. Writing implies reading. */
export function requireScope({ scopes }: Caller, scope: string, field: string): void {
  if (scopes.includes(scope) || scopes.includes(scope.replace("read_", "write_"))) return;
  throw new GraphQLError(
    `Access denied for ${field} field. Required access: \`${scope}\` access scope. Learn more: ${DOCUMENTATION}`,
    {
      extensions: {
        code: "ACCESS_DENIED",
        documentation: DOCUMENTATION,
        requiredAccess: `\`${scope}\` access scope.`,
      },
    },
  );
}
