import { z } from "zod";
import { endpoint, noBody, noParameters, tagged } from "../http/endpoint.server.ts";
import { runOnce } from "../http/idempotency.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";
import { Failure } from "../platform/failure.ts";
import { FEATURES, hasFeature, PLANS } from "../billing/index.server.ts";
import {
  createList,
  createListBody,
  ownerInPath,
  ownerParameter,
  listSchema,
  listsQuery,
  listsSchema,
  readListsPage,
} from "../wishlists/index.server.ts";

const getLists = endpoint({
  method: "GET",
  operationId: "getLists",
  tag: "Lists",
  summary: "List a customer's lists",
  description:
    "The default list first, then the named lists by position. Every customer has a default list, even before something is saved in it.",
  access: bearer("read_wishlists"),
  compressed: true,
  params: z.strictObject({ customerId: ownerParameter }),
  query: listsQuery,
  body: noBody,
  data: listsSchema,
  async handle({ caller, params, query, knownTags }) {
    return tagged(await readListsPage(ownerInPath(caller, params.customerId), query, knownTags));
  },
});

const postList = endpoint({
  method: "POST",
  operationId: "createList",
  tag: "Lists",
  summary: "Create a list",
  description:
    "Creates an empty named list after the others. Requires the Growth plan; existing lists work in any plan.",
  status: 201,
  access: bearer("write_wishlists"),
  params: z.strictObject({ customerId: ownerParameter }),
  query: noParameters,
  body: createListBody,
  data: listSchema,
  idempotent: true,
  failures: ["plan_required", "list_name_taken", "list_limit_reached"],
  handle(call) {
    const { caller, params, body } = call;
    if (!hasFeature(caller.plan, "lists")) {
      const { from } = FEATURES.lists;
      return new Failure("plan_required", `Named lists need the ${PLANS[from].name} plan.`, {
        details: { requiredPlan: from },
      });
    }
    const owner = ownerInPath(caller, params.customerId);
    return runOnce(call, "createList", (execution) => createList(owner, body, "api", execution));
  },
});

const route = resource("/v1/wishlists/{customerId}/lists", [getLists, postList]);

export const loader = route.loader;
export const action = route.action;
