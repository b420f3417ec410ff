import type { z } from "zod";
import type { ListRef, Performable } from "../../wishlists/index.server.ts";
import { Failure, type FailureCode } from "../../platform/failure.ts";
import type { ListOwner } from "../identity.server.ts";
import { inputOf, perform } from "../operations.server.ts";
import { isFormToken } from "../tags.server.ts";
import type { LiquidPage } from "./liquid-page.ts";
import type { ListView } from "./list-view.ts";
import { myWishlist, type Outcome } from "./my-wishlist.server.ts";

/** The outcome that the page says for a failure. */
const FAILURE_OUTCOMES: Partial<Record<FailureCode, Outcome["code"]>> = {
  plan_required: "lists_off",
  list_not_found: "unknown_list",
  list_name_taken: "name_taken",
  list_limit_reached: "too_many_lists",
  item_not_found: "item_gone",
  wishlist_full: "full",
  version_expired: "list_changed",
};

/** What every form of the page sends: the proof that it was rendered for this shopper, and the view to show then. */
export type FormFields = ListView & { token: string };

/** What the page shows after a form: by default the view of the form, without an outcome. */
interface FormResult {
  view?: ListView;
  outcome?: Outcome;
}

/** A form of the wishlist page, with which it works without JavaScript: an operation, and what the page shows then. */
export interface Form<Fields extends z.ZodType<FormFields>, Data extends z.ZodObject, Before = undefined> {
  operationId: string;
  summary: string;
  fields: Fields;
  operation: Performable<Data>;
  /** returns the operation's input in the form of `inputOf` */
  input: (fields: z.output<Fields>, shopper: ListOwner) => object | Promise<object>;
  /** the outcome of an input that the operation refuses */
  invalid?: Outcome["code"];
  /** the version that the list must have */
  expectedVersion?: (fields: z.output<Fields>) => number;
  /** reads what the result needs of the time before the change */
  before?: (list: ListRef) => Promise<Before | Failure>;
  shown?: (done: {
    fields: z.output<Fields>;
    list: ListRef;
    data: z.input<Data>;
    before: Before | undefined;
  }) => FormResult | Failure | Promise<FormResult | Failure>;
}

/** Returns what performs a form and returns the page as it is then; `forbidden_origin` for one that was not rendered for this shopper, or too long ago. */
export function pageOfForm<Fields extends z.ZodType<FormFields>, Data extends z.ZodObject, Before>({
  operation,
  input,
  invalid,
  expectedVersion,
  before,
  shown,
}: Form<Fields, Data, Before>) {
  const schema = inputOf(operation);

  async function apply(shopper: ListOwner, fields: z.output<Fields>): Promise<FormResult | Failure> {
    const list = { ...shopper.owner, listId: fields.list };
    const given = schema.safeParse(await input(fields, shopper));
    if (!given.success) return new Failure("invalid_request", "The form has fields that are not valid.");
    const earlier = await before?.(list);
    if (earlier instanceof Failure) return earlier;
    const data = await perform(operation, shopper, given.data, expectedVersion?.(fields));
    if (data instanceof Failure) return data;
    return (await shown?.({ fields, list, data, before: earlier })) ?? {};
  }

  return async (shopper: ListOwner, fields: z.output<Fields>): Promise<LiquidPage | Failure> => {
    if (!isFormToken(fields.token, shopper)) {
      return new Failure(
        "forbidden_origin",
        "This form was rendered for another shopper or too long ago. Open the wishlist again.",
      );
    }
    const done = await apply(shopper, fields);
    if (!(done instanceof Failure)) return myWishlist(shopper, done.view ?? fields, done.outcome);
    const code = done.code === "invalid_request" ? invalid : FAILURE_OUTCOMES[done.code];
    return code === undefined ? done : myWishlist(shopper, fields, { code });
  };
}
