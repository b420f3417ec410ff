import { GraphQLError } from "graphql";
import { hasScope } from "../foundation/scopes.ts";

const DOCUMENTATION = "https://shopify.dev/api/usage/access-scopes";

/** Returns the error for an invalid argument. */
export function badUserInput(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: "BAD_REQUEST" } });
}

/** The app that sends the query. */
export interface Caller {
  /** scopes of its access token */
  scopes: readonly string[];
}

/** Checks a scope. @throws GraphQLError when the access token lacks it */
export function requireScope({ scopes }: Caller, scope: string, field: string): void {
  if (hasScope(scopes, scope)) return;
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
