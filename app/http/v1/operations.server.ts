import { z } from "zod";
import type { Caller } from "../../access/index.server.ts";
import { Failure } from "../../platform/failure.ts";
import { SINGLE, type Execution } from "../../platform/database/transaction.server.ts";
import { listOfIds, ownerInPath, ownerParameter, type Operation } from "../../wishlists/index.server.ts";
import { endpoint, tagged, type Description, type Endpoint } from "../endpoint.server.ts";
import { runOnce } from "../idempotency.server.ts";
import type { Policy } from "../policy.server.ts";
import { bearer } from "./policies.server.ts";

/** Returns the schema of a path with a customer's id and these ids. */
function pathOf(ids: z.ZodObject) {
  return z.strictObject({ customerId: ownerParameter, ...ids.shape });
}

type HttpTraits = Pick<Description, "status" | "compressed" | "bodyAdvice" | "writes"> &
  Pick<Policy<Caller, unknown>, "identify">;

/**
 * Mounts an operation: its ids are in the path after the customer's, its options in the query.
 * @param traits what the contract says of it that is a matter of HTTP
 */
export function apiEndpoint<
  Ids extends z.ZodObject,
  Options extends z.ZodObject,
  Body extends z.ZodType,
  Data extends z.ZodObject,
>(
  {
    ids,
    options,
    inputLimit,
    effect,
    customersOnly = false,
    handle,
    keptForm,
    ...declared
  }: Operation<Ids, Options, Body, Data>,
  { identify, ...traits }: HttpTraits = {},
): Endpoint {
  return endpoint({
    ...declared,
    ...traits,
    ...(inputLimit !== undefined && { bodyLimit: inputLimit }),
    access: bearer(effect === "read" ? "read_wishlists" : "write_wishlists", { customersOnly, identify }),
    params: pathOf(ids),
    query: options,
    async handle(call) {
      const { caller, params, query, body, knownTags } = call;
      const { customerId, ...named } = params;
      const given = ids.parse(named);
      const perform = (execution: Execution) =>
        handle({
          caller,
          list: { ...ownerInPath(caller, customerId), ...listOfIds(given) },
          ids: given,
          options: query,
          body,
          knownTags,
          execution,
        });
      if (declared.idempotent) {
        const change = async (execution: Execution) => {
          const result = await perform(execution);
          if (result instanceof Failure) return result;
          if ("data" in result) return result.data;
          throw new Error(`${declared.operationId} returned a text`);
        };
        return runOnce(call, declared.operationId, change, keptForm);
      }
      const result = await perform(SINGLE);
      return result instanceof Failure || "data" in result ? result : tagged(result.text);
    },
  });
}
