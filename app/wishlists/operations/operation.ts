import { z } from "zod";
import type { Caller } from "../../access/caller.ts";
import type { Execution } from "../../platform/database/transaction.server.ts";
import { Failure, type FailureCode } from "../../platform/failure.ts";
import type { ListRef } from "../owner.ts";

export interface OperationCall<Ids, Options, Body> {
  caller: Caller;
  /** the owner whose data the caller may read and change, and the list that the ids name */
  list: ListRef;
  ids: Ids;
  options: Options;
  body: Body;
  /** tags of texts that the caller has; `*` stands for any */
  knownTags: readonly string[];
  execution: Execution;
  /** the version at which alone the list is changed, where the operation heeds it */
  expectedVersion?: number | undefined;
}

/** Data; or a text from the database with its tag, whose `json` is null when the caller has it. */
export type OperationResult<Data> = { data: Data } | { text: { tag: string; json: string | null } } | Failure;

/** How a large response is kept for repetitions of its request: what of it does not follow from the request. */
export interface KeptForm<Data, Body> {
  /** @returns undefined for a response to a request that changed nothing */
  toKeep: (data: Data, body: Body) => unknown;
  restore: (kept: unknown, body: Body) => Data;
}

/**
 * What a caller can do with an owner's lists. It is declared once and mounted on surfaces, which authenticate the caller, say where a request has its
 * parts, and write the response. Names are unique over ids, options and body, so that a surface can take all of them as one object.
 */
export interface Operation<
  Ids extends z.ZodObject = z.ZodObject,
  Options extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Data extends z.ZodObject = z.ZodObject,
> {
  /** published: in the contract and in the paths of the app proxy */
  operationId: string;
  /** method of the SDK's client, such as `lists.items.add` */
  sdkMethod: string;
  tag: "Wishlists" | "Lists" | "Sharing" | "Alerts";
  summary: string;
  description?: string;
  effect: "read" | "write";
  /** whether guests are refused */
  customersOnly?: boolean;
  /** what names the list and the item */
  ids: Ids;
  options: Options;
  body: Body;
  /** maximum bytes of the input, where 16 KiB are too few */
  inputLimit?: number;
  data: Data;
  failures?: readonly FailureCode[];
  /** whether a repetition with the same key has no further effect */
  idempotent?: true;
  keptForm?: KeptForm<z.input<Data>, z.output<Body>>;
  handle: (
    call: OperationCall<z.output<Ids>, z.output<Options>, z.output<Body>>,
  ) => Promise<OperationResult<z.input<Data>>> | OperationResult<z.input<Data>>;
}

/** An operation as a surface sees it that takes the whole input as one object, whatever its parts. */
export interface Performable<Data extends z.ZodObject = z.ZodObject> extends Pick<
  Operation,
  "operationId" | "summary" | "customersOnly" | "ids" | "options" | "body" | "inputLimit"
> {
  data: Data;
  /** @param input ids, options and body; others of its fields are left out */
  perform: (
    call: Omit<OperationCall<unknown, unknown, unknown>, "ids" | "options" | "body">,
    input: object,
  ) => Promise<OperationResult<z.input<Data>>>;
}

function pick(input: object, of: z.ZodObject["shape"]): object {
  return Object.fromEntries(
    Object.entries(input).filter(([name, value]) => value !== undefined && Object.hasOwn(of, name)),
  );
}

/** Declares an operation. */
export function operation<
  Ids extends z.ZodObject,
  Options extends z.ZodObject,
  Body extends z.ZodType,
  Data extends z.ZodObject,
>(declaration: Operation<Ids, Options, Body, Data>): Operation<Ids, Options, Body, Data> & Performable<Data> {
  const { ids, options, body, handle } = declaration;
  const bodyIn = (input: object) => (body instanceof z.ZodObject ? pick(input, body.shape) : undefined);
  return {
    ...declaration,
    perform: async (call, input) =>
      handle({
        ...call,
        ids: ids.parse(pick(input, ids.shape)),
        options: options.parse(pick(input, options.shape)),
        body: body.parse(bodyIn(input)),
      }),
  };
}

/** What two operations differ in that do the same with the default list and with any list. */
export type Named<Ids extends z.ZodObject> = Pick<
  Operation<Ids>,
  "operationId" | "sdkMethod" | "tag" | "summary" | "description" | "ids" | "failures"
>;

/** For an operation without ids or options, and a path or query without parameters. */
export const none = z.strictObject({});
/** For an operation or endpoint that reads no body. */
export const noBody = z.undefined();

/** Wraps a text as the result of an operation; a failure is returned unchanged. */
export function textOrFailure<Text>(text: Text | Failure): { text: Text } | Failure {
  return text instanceof Failure ? text : { text };
}

/** Returns the list that an operation's ids name. */
export function listOfIds(ids: object): Pick<ListRef, "listId"> {
  return "listId" in ids && typeof ids.listId === "string" ? { listId: ids.listId } : {};
}
