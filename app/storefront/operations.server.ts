import { z } from "zod";
import { Failure, type FailureDetails, type Problem } from "../platform/failure.ts";
import { SINGLE } from "../platform/database/transaction.server.ts";
import { DEFAULT_LIST, listIdSchema, listOfIds, readTotals, type Operation } from "../wishlists/index.server.ts";
import { guestIdSchema } from "./guest-id.ts";
import type { ListOwner, Shopper } from "./identity.server.ts";
import { loginRequired } from "./product.server.ts";

/** What every response to a shopper's change says besides. */
const counted = {
  /** items in the list, where the operation counts them */
  listCount: z.int().optional(),
  /** saved variants in all lists, each once */
  itemCount: z.int(),
};

type Declared = Pick<Operation, "customersOnly" | "ids" | "options" | "body">;

function fieldsOf(body: z.ZodType): z.ZodObject["shape"] {
  return body instanceof z.ZodObject ? body.shape : {};
}

function pick(input: object, of: z.ZodObject["shape"]): object {
  return Object.fromEntries(
    Object.entries(input).filter(([name, one]) => one !== undefined && Object.hasOwn(of, name)),
  );
}

/** Returns the schema of an operation's input as one object, in which a guest names themselves and a list may be left out: then it is the default list. */
export function inputOf({ customersOnly, ids: { shape }, options, body }: Declared) {
  const input = z.strictObject({
    ...(!customersOnly && { guestId: guestIdSchema.optional() }),
    ...shape,
    ...("listId" in shape && { listId: listIdSchema.optional() }),
    ...options.shape,
    ...fieldsOf(body),
  });
  // What a body must be as a whole, such as not without any detail.
  return input.superRefine((given, context) => {
    const parsed = body instanceof z.ZodObject ? body.safeParse(pick(given, body.shape)) : undefined;
    for (const { message, path } of parsed?.error?.issues ?? []) context.addIssue({ code: "custom", message, path });
  });
}

/** Returns the schema of what `performForShopper` returns. */
export function outputOf({ shape }: z.ZodObject) {
  return z.strictObject({ ...shape, ...counted });
}

function areProblems(details: FailureDetails): details is readonly Problem[] {
  return Array.isArray(details);
}

/** Returns a failure with the storefront's names of places: everything is in the body. @param named returns the field's name there */
export function inBody(failure: Failure, named = (path: string): string => path): Failure {
  const { code, message, details, retryAfter } = failure;
  const rename = (text: string): string =>
    text.replace(/^(?:path|query|body)\.(\w+)/, (_, name: string) => `body.${named(name)}`);
  return new Failure(code, rename(message), {
    ...(details !== undefined && {
      details: areProblems(details) ? details.map(({ path, problem }) => ({ path: rename(path), problem })) : details,
    }),
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

/** Performs an operation on a list of the shopper. @param input in the form of `inputOf` */
export async function perform<
  Ids extends z.ZodObject,
  Options extends z.ZodObject,
  Body extends z.ZodType,
  Data extends z.ZodObject,
>(
  { ids, options, body, handle }: Operation<Ids, Options, Body, Data>,
  caller: Shopper,
  input: object,
  expectedVersion?: number,
): Promise<z.input<Data> | Failure> {
  if (!caller.owner) return loginRequired();
  const result = await handle({
    caller,
    list: { ...caller.owner, ...listOfIds(input) },
    ids: ids.parse({ ...("listId" in ids.shape && { listId: DEFAULT_LIST }), ...pick(input, ids.shape) }),
    options: options.parse(pick(input, options.shape)),
    body: body.parse(body instanceof z.ZodObject ? pick(input, body.shape) : undefined),
    knownTags: [],
    execution: SINGLE,
    expectedVersion,
  });
  if (result instanceof Failure) return inBody(result);
  if ("data" in result) return result.data;
  throw new Error("a shopper's page reads lists by endpoints of its own");
}

/** Performs an operation, and counts what the shopper has saved then. */
export async function performForShopper<
  Ids extends z.ZodObject,
  Options extends z.ZodObject,
  Body extends z.ZodType,
  Data extends z.ZodObject,
>(of: Operation<Ids, Options, Body, Data>, caller: ListOwner, input: object) {
  const result = await perform(of, caller, input);
  if (result instanceof Failure) return result;
  const { itemCount } = await readTotals(caller.owner);
  const { itemCount: listCount, ...data } = z.looseObject({ itemCount: z.int().optional() }).parse(result);
  return { ...data, ...(listCount !== undefined && { listCount }), itemCount };
}
