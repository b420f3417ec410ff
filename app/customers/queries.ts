import { z } from "zod";
import { gidSchema } from "../admin-api/gid.ts";

// Queries and mutations about customers to the Admin GraphQL API (2026-10), and their responses.

const CUSTOMER = `#graphql
  fragment CustomerName on Customer { id displayName defaultEmailAddress { emailAddress } }`;

// Protected customer data: the name and the email address, and nothing else.
const customerSchema = z.object({
  id: gidSchema,
  displayName: z.string(),
  defaultEmailAddress: z.object({ emailAddress: z.string() }).nullable(),
});

export type CustomerNode = z.output<typeof customerSchema>;

export const customerGid = (id: string): string => `gid://shopify/Customer/${id}`;

export const CUSTOMERS_BY_ID = `#graphql
  query CustomerNames($ids: [ID!]!) {
    nodes(ids: $ids) { ...CustomerName }
  }
  ${CUSTOMER}`;
export const customersByIdSchema = z.object({ nodes: z.array(customerSchema.nullable()) });

export const CUSTOMER_SEARCH = `#graphql
  query CustomerSearch($query: String!, $first: Int!) {
    customers(first: $first, query: $query, sortKey: RELEVANCE) { nodes { ...CustomerName } pageInfo { hasNextPage } }
  }
  ${CUSTOMER}`;
export const customerSearchSchema = z.object({
  customers: z.object({ nodes: z.array(customerSchema), pageInfo: z.object({ hasNextPage: z.boolean() }) }),
});

export const TAGS_ADD = `#graphql
  mutation TagsAdd($id: ID!, $tags: [String!]!) {
    tagsAdd(id: $id, tags: $tags) { userErrors { message } }
  }`;
export const tagsAddedSchema = z.object({
  tagsAdd: z.object({ userErrors: z.array(z.object({ message: z.string() })) }).nullable(),
});
