import type { components, Operations } from "./openapi.ts";

/** A method of the client as it is called, such as `lists.items.add`. */
export type MethodName = keyof Operations;

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
 * What a method takes, such as `Input<"lists.items.add">`: its path parameters, query parameters and body fields, in one object and under the names that they have in the API.
 * `customerId` is `me` when it is left out.
 */
export type Input<Name extends MethodName> = Flat<
  Loose<Defined<PathOf<Operations[Name]>>> &
    Loose<Defined<QueryOf<Operations[Name]>>> &
    Loosened<BodyOf<Operations[Name]>>
>;
type Loosened<B> = B extends unknown ? Loose<B> : never;

type ContentOf<O> = O extends { responses: infer R } ? (R[keyof R] extends { content: infer C } ? C : never) : never;

/** What a method returns, such as `Output<"lists.items.add">`: `data` of its response, or the document itself. */
export type Output<Name extends MethodName> =
  ContentOf<Operations[Name]> extends { "application/json": { data: infer D } }
    ? D
    : ContentOf<Operations[Name]> extends { "application/json": infer D }
      ? D
      : string;
