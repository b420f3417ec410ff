import { z } from "zod";
import { flowTriggers, receiveTrigger } from "../actions/flow.ts";
import type { Store } from "../store/store.ts";
import { requireScope, type Caller } from "./problems.ts";

const payloadSchema = z.record(z.string(), z.unknown());

interface Arguments {
  handle?: string | null;
  payload?: unknown;
  /** of API clients from before triggers had handles */
  body?: string | null;
}

export function flowMutations(store: Store, caller: Caller) {
  const refuse = (field: string, message: string) => ({ userErrors: [{ field: [field], message }] });
  return {
    flowTriggerReceive({ handle, payload, body }: Arguments) {
      if (body) return refuse("body", "The devstore does not support `body`: use `handle` and `payload`.");
      if (!handle || payload === null || payload === undefined) {
        return refuse("handle", "`handle` and `payload` arguments are required");
      }
      const trigger = flowTriggers(store).find((one) => one.handle === handle);
      const namesCustomer = trigger?.fields.some(({ type }) => type === "customer_reference") === true;
      if (namesCustomer) requireScope(caller, "read_customers", "flowTriggerReceive");
      const parsed = payloadSchema.safeParse(payload);
      if (!parsed.success)
        return refuse("body", "Errors validating schema:\n  Type error: payload is not an Object.\n");
      const problem = receiveTrigger(store, handle, parsed.data);
      return problem === undefined ? { userErrors: [] } : refuse("body", problem);
    },
  };
}
