import { z } from "zod";
import { Failure, type FailureDetails, type Problem } from "../platform/failure.ts";
import { SINGLE } from "../platform/database/transaction.server.ts";
import { idOf, listIdSchema, listOfIds, readTotals, type Performable } from "../wishlists/index.server.ts";
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

function fieldsOf(body: z.ZodType): z.ZodObject["shape"] {
  return body instanceof z.ZodObject ? body.shape : {};
}

/** Returns the schema of an operation's input as one object, in which a guest names themselves and a list may be left out: then it is the default list. */
export function inputOf({ customersOnly, ids: { shape }, options, body }: Performable) {
  const input = z.strictObject({
    ...(!customersOnly && { guestId: guestIdSchema.optional() }),
    ...shape,
    ...("listId" in shape && { listId: listIdSchema.optional() }),
    ...options.shape,
    ...fieldsOf(body),
  });
  // What a body must be as a whole, such as not without any detail.
  const whole = body instanceof z.ZodObject ? body.strip() : undefined;
  return input.superRefine((given, context) => {
    const parsed = whole?.safeParse(given);
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

/** Returns a failure with the storefront's names of fields: all are in the body. @param named returns the field's name there */
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
export async function perform<Data extends z.ZodObject>(
  of: Performable<Data>,
  caller: Shopper,
  input: object,
  expectedVersion?: number,
): Promise<z.input<Data> | Failure> {
  if (!caller.owner) return loginRequired();
  const list = { ...caller.owner, ...listOfIds(input) };
  const named = { ...input, ...("listId" in of.ids.shape && { listId: idOf(list) }) };
  const result = await of.perform({ caller, list, knownTags: [], execution: SINGLE, expectedVersion }, named);
  if (result instanceof Failure) return inBody(result);
  if ("data" in result) return result.data;
  throw new Error("a shopper's page reads lists by endpoints of its own");
}

/** Performs an operation, and counts what the shopper has saved then. */
export async function performForShopper(of: Performable, caller: ListOwner, input: object) {
  const result = await perform(of, caller, input);
  if (result instanceof Failure) return result;
  const { itemCount } = await readTotals(caller.owner);
  const { itemCount: listCount, ...data } = z.looseObject({ itemCount: z.int().optional() }).parse(result);
  return { ...data, ...(listCount !== undefined && { listCount }), itemCount };
}
