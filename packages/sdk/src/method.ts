import type { PagedName, Pages } from "./pages.ts";
import type { RequestOptions, Responding } from "./request.ts";
import type { StreamedChange } from "./stream.ts";
import type { Input, MethodName, Output } from "./types.ts";

type Result<Name extends MethodName> = Name extends "changes.stream"
  ? AsyncIterable<StreamedChange>
  : Name extends PagedName
    ? Pages<Name>
    : Responding<Output<Name>>;

/** A method of the client, by its name. Its input can be left out if nothing of it is required. */
export type Method<Name extends MethodName> =
  Partial<Input<Name>> extends Input<Name>
    ? (input?: Input<Name>, options?: RequestOptions) => Result<Name>
    : (input: Input<Name>, options?: RequestOptions) => Result<Name>;
