// `npm run check -- graphql`: validates the app's GraphQL documents against the devstore's schemas of the Admin API and the Storefront API.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildSchema } from "graphql";
import { documentProblems } from "./support/shopify/graphql-documents.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const schema = buildSchema(
  readFileSync(new URL("../packages/devstore/graphql/schema.graphql", import.meta.url), "utf8"),
);
const storefrontSchema = buildSchema(
  readFileSync(new URL("../packages/devstore/graphql/storefront/schema.graphql", import.meta.url), "utf8"),
);
const files = globSync("{app,server}/**/*.{ts,tsx}", { cwd: root }).map((path) => ({
  path,
  text: readFileSync(root + path, "utf8"),
}));

const { count, problems } = documentProblems(schema, files, storefrontSchema);
if (count === 0) problems.push("No GraphQL document was found: does each begin with #graphql?");
process.stdout.write([...problems, `${count} GraphQL documents, ${problems.length} problems`].join("\n") + "\n");
process.exitCode = problems.length === 0 ? 0 : 1;
