import { buildSchema } from "graphql";
import { describe, expect, test } from "vitest";
import { documentProblems } from "../support/shopify/graphql-documents.ts";

const schema = buildSchema(`
  type Query { product(id: ID!): Product }
  type Product { id: ID! title: String! name: String! @deprecated(reason: "Use title") }
`);

function problems(text: string): string[] {
  return documentProblems(schema, [{ path: "queries.ts", text }]).problems;
}

describe("the check of GraphQL documents", () => {
  test("accepts a valid query with an interpolated fragment", () => {
    const text = [
      "const PRODUCT = `#graphql\nfragment Fields on Product { id title }`;",
      "const QUERY = `#graphql\nquery One($id: ID!) { product(id: $id) { ...Fields } }\n${PRODUCT}`;",
    ].join("\n");
    expect(documentProblems(schema, [{ path: "queries.ts", text }])).toEqual({ count: 1, problems: [] });
  });

  test.each([
    ["an unknown field", "query One($id: ID!) { product(id: $id) { colour } }", 'Cannot query field "colour"'],
    ["a deprecated field", "query One($id: ID!) { product(id: $id) { name } }", "is deprecated"],
    ["an unknown argument", "query One($id: ID!) { product(id: $id, gid: 1) { id } }", 'Unknown argument "gid"'],
    ["an argument of the wrong type", "query One { product(id: true) { id } }", "ID cannot represent"],
    [
      "an unused variable",
      "query One($id: ID!, $no: String) { product(id: $id) { id } }",
      'Variable "$no" is never used',
    ],
    ["an interpolation of something else", "query One { ${fields} }", "is not a GraphQL document"],
  ])("reports %s with its file and line", (_, document, message) => {
    const found = problems(`\nconst QUERY = \`#graphql\n${document}\`;`);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^queries\.ts:2 {2}/);
    expect(found[0]).toContain(message);
  });

  test("validates documents of the Storefront API against its own schema", () => {
    const storefront = buildSchema("type Query { shop: String }");
    const text =
      "const QUERY = `#graphql storefront\nquery One { shop }`;\nconst OTHER = `#graphql\nquery Two { shop }`;";
    expect(documentProblems(schema, [{ path: "queries.ts", text }], storefront).problems).toEqual([
      'queries.ts:3  Cannot query field "shop" on type "Query".',
    ]);
  });

  test("reports a document that does not begin with #graphql", () => {
    expect(problems("const QUERY = `query One { product(id: 1) { id } }`;")).toEqual([
      "queries.ts:1  a GraphQL document must begin with #graphql",
    ]);
  });

  test("reports a fragment that no operation uses", () => {
    expect(problems("const PRODUCT = `#graphql\nfragment Fields on Product { id }`;")).toEqual([
      "queries.ts:1  the fragment PRODUCT is used by no operation",
    ]);
  });
});
