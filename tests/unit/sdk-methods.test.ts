import { describe, expect, test } from "vitest";
import { openapiDocument } from "../../app/http/v1/openapi/operations.ts";
import { guide } from "../../app/surfaces/v1/documentation/guide.ts";
import { resources } from "../../app/surfaces/v1/index.server.ts";
import { groupMethods, type NamedOperation } from "../../packages/sdk-methods.ts";

const ADD: NamedOperation = { operationId: "addListItem", name: "lists.items.add", method: "POST" };
const LIST: NamedOperation = { operationId: "getLists", name: "lists.list", method: "GET" };

test("methods are grouped by the parts of their names", () => {
  expect(groupMethods([ADD, LIST])).toEqual({ lists: { items: { add: ADD }, list: LIST } });
});

describe("the SDK refuses a method", () => {
  test.each<[string, Partial<NamedOperation>, string]>([
    ["outside of a group", { name: "getLists" }, "getLists is not a group and a method, such as `lists.items.add`."],
    ["with another notation", { name: "lists.get_all" }, "lists.get_all is not a group and a method"],
    ["of another operation", { name: "lists.items.add" }, "lists.items.add is the method of addListItem and getLists."],
    [
      "that is a group as well",
      { name: "lists.items" },
      "lists.items can't be a method and the group of lists.items.add.",
    ],
    ["whose verb means another effect", { name: "lists.create" }, "lists.create has the verb of POST operations"],
    [
      "that changes with a verb of its own",
      { name: "lists.edit", method: "PATCH" },
      "lists.edit needs one of the verbs",
    ],
  ])("%s", (_, change, problem) => {
    expect(() => groupMethods([ADD, { ...LIST, ...change }])).toThrow(`: the SDK's method ${problem}`);
  });
});

test("the OpenAPI document refuses an operation without a method of the SDK", () => {
  const undeclared = resources.map((resource) => ({
    ...resource,
    endpoints: resource.endpoints.map(({ sdkMethod, ...endpoint }) => ({
      ...endpoint,
      ...(endpoint.operationId !== "getList" && sdkMethod !== undefined && { sdkMethod }),
    })),
  }));
  expect(() => openapiDocument(undeclared, [], guide)).toThrow("getList: declare the SDK's method as `sdkMethod`");
});
