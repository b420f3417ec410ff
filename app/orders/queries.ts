import { z } from "zod";
import { gidSchema } from "../admin-api/gid.ts";
import { amountSchema } from "../admin-api/money.ts";

// Queries about orders to the Admin GraphQL API (2026-10), and their responses. `npm run check -- graphql` validates them. The customer is not among
// the fields, because it needs the further scope `read_customers`: it is in the signed webhook.

/** Orders per request. */
export const ORDER_PAGE = 50;

/** Lines per request: 100 lines cost 502 of the 1,000 points that Shopify allows. */
export const LINE_PAGE = 100;

export const orderGid = (id: string): string => `gid://shopify/Order/${id}`;

export const ORDERS_BY_ID = `#graphql
  query OrdersById($ids: [ID!]!) {
    nodes(ids: $ids) { ... on Order { id createdAt updatedAt cancelledAt test currencyCode } }
  }`;

export const orderSchema = z.object({
  id: gidSchema,
  createdAt: z.iso.datetime({ offset: true }),
  updatedAt: z.iso.datetime({ offset: true }),
  cancelledAt: z.iso.datetime({ offset: true }).nullable(),
  test: z.boolean(),
  /** the shop's currency at the time of the order */
  currencyCode: z.string(),
});

export type StoreOrder = z.output<typeof orderSchema>;

// Each is parsed for itself, so that a bad order does not stop the others.
export const ordersByIdSchema = z.object({ nodes: z.array(z.unknown()) });

export const ORDER_LINES = `#graphql
  query OrderLines($id: ID!, $first: Int!, $after: String) {
    order(id: $id) {
      lineItems(first: $first, after: $after) {
        nodes {
          id quantity currentQuantity refundableQuantity
          product { id }
          variant { id }
          discountedTotalSet(withCodeDiscounts: true) { shopMoney { amount } }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }`;

const lineSchema = z.object({
  id: gidSchema,
  quantity: z.int(),
  /** without units that an edit or a refund removed */
  currentQuantity: z.int(),
  /** without refunded units */
  refundableQuantity: z.int(),
  /** null when the product was deleted, and for a custom line */
  product: z.object({ id: gidSchema }).nullable(),
  variant: z.object({ id: gidSchema }).nullable(),
  /** of the whole quantity */
  discountedTotalSet: z.object({ shopMoney: z.object({ amount: amountSchema }) }),
});

export type StoreOrderLine = z.output<typeof lineSchema>;

export const orderLinesSchema = z.object({
  order: z
    .object({
      lineItems: z.object({
        nodes: z.array(lineSchema),
        pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
      }),
    })
    .nullable(),
});

export const DRAFT_ORDER_CREATE = `#graphql
  mutation DraftOrderCreate($input: DraftOrderInput!) {
    draftOrderCreate(input: $input) { draftOrder { id name } userErrors { message } }
  }`;

export const draftOrderCreatedSchema = z.object({
  draftOrderCreate: z
    .object({
      draftOrder: z.object({ id: gidSchema, name: z.string() }).nullable(),
      userErrors: z.array(z.object({ message: z.string() })),
    })
    .nullable(),
});
