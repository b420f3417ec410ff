import type { components, Operations } from "./openapi.ts";

export type OperationId = keyof Operations;

type Schemas = components["schemas"];

export type Change = Schemas["Change"];
export type Item = Schemas["WishlistItem"];
export type ItemProduct = Schemas["ItemProduct"];
export type List = Schemas["List"];
export type ApiErrorCode = Schemas["Error"]["error"]["code"];
export type ErrorDetails = NonNullable<Schemas["Error"]["error"]["details"]>;

/** Makes an intersection readable in editors. */
type Flat<T> = T extends unknown ? { [K in keyof T]: T[K] } : never;
/** Queries have texts for truth values; the client takes the values as well. Optional inputs may be undefined. */
type Loose<T> = {
  [K in keyof T]: undefined extends T[K] ? LooseValue<T[K]> | undefined : LooseValue<T[K]>;
};
type LooseValue<V> = string extends V ? V : "true" extends V ? V | boolean : V;

type PathOf<O> = O extends { parameters: { path: infer P } }
  ? Omit<P, "customerId"> & (P extends { customerId: string } ? { customerId?: string } : unknown)
  : unknown;
type QueryOf<O> = O extends { parameters: { query?: infer Q } } ? NonNullable<Q> : unknown;
type BodyOf<O> = O extends { requestBody: { content: { "application/json": infer B } } } ? B : unknown;
type Defined<T> = [T] extends [never] ? unknown : T;

/**
 * What an operation takes: its path parameters, query parameters and body fields, in one object and under the names that they have in the API.
 * `customerId` is `me` when it is left out.
 */
export type Input<K extends OperationId> = Flat<
  Loose<Defined<PathOf<Operations[K]>>> & Loose<Defined<QueryOf<Operations[K]>>> & Loosened<BodyOf<Operations[K]>>
>;
type Loosened<B> = B extends unknown ? Loose<B> : never;

type ContentOf<O> = O extends { responses: infer R } ? (R[keyof R] extends { content: infer C } ? C : never) : never;

/** What an operation returns: `data` of its response, or the document itself. */
export type Output<K extends OperationId> =
  ContentOf<Operations[K]> extends { "application/json": { data: infer D } }
    ? D
    : ContentOf<Operations[K]> extends { "application/json": infer D }
      ? D
      : string;
