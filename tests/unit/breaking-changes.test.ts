import { describe, expect, test } from "vitest";
import { breakingChanges, contractSchema, type Contract } from "../contract/breaking-changes.ts";

/** A document with one of everything that the check compares. */
const DOCUMENT = {
  paths: {
    "/v1/lists/{listId}": {
      post: {
        operationId: "changeList",
        "x-sdk-method": "lists.change",
        security: [{ bearer: ["write"] }],
        parameters: [
          { name: "listId", in: "path", required: true, schema: { type: "string", maxLength: 255 } },
          {
            name: "limit",
            in: "query",
            required: false,
            schema: { type: "integer", minimum: 1, maximum: 200, default: 50 },
          },
          { name: "sort", in: "query", required: false, schema: { type: "string", enum: ["title", "price"] } },
        ],
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/ChangeList" } } },
        },
        responses: {
          200: {
            headers: { "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" } },
            content: { "application/json": { schema: { $ref: "#/components/schemas/List" } } },
          },
          404: { $ref: "#/components/responses/not_found" },
        },
      },
      put: {
        requestBody: { required: false, content: {} },
        operationId: "archiveList",
        security: [{ bearer: [] }],
        parameters: [{ name: "listId", in: "path", required: true, schema: {} }],
        responses: {},
      },
      get: { operationId: "getList", security: [], parameters: [], responses: { 200: {} } },
    },
  },
  webhooks: {
    "list.created": {
      post: {
        requestBody: {
          content: {
            "application/json": {
              schema: { type: "object", properties: { shop: { type: "string" } }, required: ["shop"] },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      ChangeList: {
        type: "object",
        properties: {
          name: { type: "string", minLength: 1, maxLength: 100, pattern: "^[a-z]+$" },
          note: { anyOf: [{ type: "string", maxLength: 500 }, { type: "null" }] },
          kind: { type: "string", enum: ["private", "public"] },
          items: {
            type: "array",
            maxItems: 250,
            items: {
              type: "object",
              properties: { id: { type: "string" }, count: { type: "integer" } },
              required: ["id"],
            },
          },
          change: {
            oneOf: [
              { type: "object", properties: { op: { const: "add" }, id: { type: "string" } }, required: ["op"] },
              { type: "object", properties: { op: { const: "remove" } }, required: ["op"] },
            ],
          },
          options: { type: "object", propertyNames: { maxLength: 20 }, additionalProperties: { type: "string" } },
        },
        required: ["name"],
        additionalProperties: false,
      },
      List: {
        type: "object",
        properties: {
          listId: { type: "string" },
          name: { anyOf: [{ type: "string" }, { type: "null" }] },
          count: { type: "integer", minimum: 0 },
          kind: { type: "string", enum: ["private", "public"] },
          state: { type: "string", enum: ["open", "closed"] },
          prices: { type: "object", additionalProperties: { type: "number" } },
          parent: { $ref: "#/components/schemas/List" },
          items: { type: "array", items: { $ref: "#/components/schemas/Item" } },
        },
        required: ["listId", "count"],
      },
      Item: { type: "object", properties: { id: { type: "string" }, note: { type: "string" } }, required: ["id"] },
      Error: {
        type: "object",
        properties: { code: { type: "string", enum: ["not_found", "rate_limited"] } },
        required: ["code"],
      },
    },
    responses: {
      not_found: {
        headers: {},
        content: {
          "application/json": {
            schema: {
              allOf: [
                { $ref: "#/components/schemas/Error" },
                { properties: { code: { enum: ["not_found", "gone"] } } },
              ],
            },
          },
        },
      },
    },
    headers: { "X-Request-Id": { required: true, schema: { type: "string", pattern: "^req_" } } },
    securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
  },
};

type Edit = readonly [find: string, replacement: string];

/** Returns the breaks when these texts are replaced in the document's JSON. */
function breaks(...edits: readonly Edit[]): string[] {
  const before = JSON.stringify(DOCUMENT);
  const after = edits.reduce((text, [find, replacement]) => {
    expect(text.split(find)).toHaveLength(2);
    return text.replace(find, replacement);
  }, before);
  return breakingChanges(parse(before), parse(after));
}

function parse(text: string): Contract {
  return contractSchema.parse(JSON.parse(text));
}

const OPERATION = "POST /v1/lists/{listId}";

describe("a change is refused when", () => {
  const cases: readonly (readonly [title: string, edits: readonly Edit[], found: string])[] = [
    ["a path is gone", [['"/v1/lists/{listId}"', '"/v1/list/{listId}"']], `${OPERATION} is gone`],
    ["an operation is gone", [['"get":{', '"head":{']], "GET /v1/lists/{listId} is gone"],
    [
      "an operation has another id",
      [['"changeList"', '"editList"']],
      `${OPERATION} changed its operationId from changeList to editList`,
    ],
    [
      "an operation has another method in the SDK",
      [['"lists.change"', '"lists.edit"']],
      `${OPERATION} changed its method in the SDK from lists.change to lists.edit`,
    ],
    [
      "an operation needs another scope",
      [['["write"]', '["admin"]']],
      `${OPERATION} requires another authentication or scope`,
    ],
    [
      "an operation needs one more scope",
      [['["write"]', '["write","read"]']],
      `${OPERATION} requires another authentication or scope`,
    ],
    [
      "an operation without authentication gets one",
      [['"security":[]', '"security":[{"bearer":[]}]']],
      "GET /v1/lists/{listId} requires another authentication or scope",
    ],
    ["a security scheme changes", [['"scheme":"bearer"', '"scheme":"basic"']], "the security scheme bearer changed"],
    ["a parameter is gone", [['"name":"sort"', '"name":"order"']], `${OPERATION}: query parameter sort is gone`],
    [
      "a parameter is required now",
      [['"name":"limit","in":"query","required":false', '"name":"limit","in":"query","required":true']],
      `${OPERATION}: query parameter limit is required now`,
    ],
    [
      "a new parameter is required",
      [['"parameters":[]', '"parameters":[{"name":"v","in":"query","required":true,"schema":{}}]']],
      "GET /v1/lists/{listId}: query parameter v is required now",
    ],
    [
      "a parameter's range is narrower",
      [['"maximum":200', '"maximum":100']],
      `${OPERATION}: query parameter limit changed maximum from 200 to 100`,
    ],
    [
      "a parameter has another default",
      [['"default":50', '"default":20']],
      `${OPERATION}: query parameter limit has another default than 50`,
    ],
    [
      "a value of a parameter is gone",
      [['"enum":["title","price"]', '"enum":["title"]']],
      `${OPERATION}: query parameter sort lost the value "price"`,
    ],
    [
      "a body is required where there was none",
      [['"operationId":"getList"', '"operationId":"getList","requestBody":{"required":true,"content":{}}']],
      "GET /v1/lists/{listId}: body is required now",
    ],
    [
      "a body is gone",
      [['"requestBody":{"required":true', '"x-requestBody":{"required":true']],
      `${OPERATION}: body is gone`,
    ],
    [
      "a body has another media type",
      [
        [
          '"requestBody":{"required":true,"content":{"application/json"',
          '"requestBody":{"required":true,"content":{"text/csv"',
        ],
      ],
      `${OPERATION}: body lost the media type application/json`,
    ],
    [
      "a field of a request is gone",
      [
        [
          '"kind":{"type":"string","enum":["private","public"]},"items":{"type":"array","maxItems"',
          '"items":{"type":"array","maxItems"',
        ],
      ],
      "ChangeList.kind is gone",
    ],
    [
      "a field of a request is required now",
      [['"required":["name"]', '"required":["name","kind"]']],
      "ChangeList.kind is required now",
    ],
    [
      "a new field of a request is required",
      [
        [
          '"properties":{"name":{"type":"string","minLength"',
          '"properties":{"to":{"type":"string"},"name":{"type":"string","minLength"',
        ],
        ['"required":["name"]', '"required":["name","to"]'],
      ],
      "ChangeList.to is required now",
    ],
    [
      "a nested field of a request is required now",
      [['"count":{"type":"integer"}},"required":["id"]', '"count":{"type":"integer"}},"required":["id","count"]']],
      "ChangeList.items[].count is required now",
    ],
    [
      "a field of a request has another type",
      [['"name":{"type":"string"', '"name":{"type":"integer"']],
      "ChangeList.name changed its type from string to integer",
    ],
    [
      "a text of a request must be shorter",
      [['"maxLength":100', '"maxLength":50']],
      "ChangeList.name changed maxLength from 100 to 50",
    ],
    [
      "a text of a request must be longer",
      [['"minLength":1', '"minLength":2']],
      "ChangeList.name changed minLength from 1 to 2",
    ],
    [
      "a text of a request has another pattern",
      [['"^[a-z]+$"', '"^[a-c]+$"']],
      "ChangeList.name changed pattern from ^[a-z]+$ to ^[a-c]+$",
    ],
    [
      "a text of a request has a format",
      [['"minLength":1', '"format":"uuid","minLength":1']],
      "ChangeList.name changed format from none to uuid",
    ],
    [
      "a request may have fewer entries",
      [['"maxItems":250', '"maxItems":100']],
      "ChangeList.items changed maxItems from 250 to 100",
    ],
    [
      "a field of a request can't be null any more",
      [
        [
          '"note":{"anyOf":[{"type":"string","maxLength":500},{"type":"null"}]}',
          '"note":{"type":"string","maxLength":500}',
        ],
      ],
      "ChangeList.note no longer accepts alternative 2",
    ],
    [
      "an alternative of a request is narrower",
      [['"maxLength":500', '"maxLength":100']],
      "ChangeList.note (alternative 1) changed maxLength from 500 to 100",
    ],
    [
      "an alternative of a request has another name",
      [['"op":{"const":"remove"}', '"op":{"const":"delete"}']],
      'ChangeList.change (alternative 2).op lost the value "remove"',
    ],
    [
      "a free field of a request gets a list of values",
      [['"minLength":1', '"enum":["a"],"minLength":1']],
      'ChangeList.name accepts only "a" now',
    ],
    [
      "a request with other fields is refused",
      [['"additionalProperties":{"type":"string"}', '"additionalProperties":false']],
      "ChangeList.options accepts fewer other fields",
    ],
    [
      "names of fields must be shorter",
      [['"propertyNames":{"maxLength":20}', '"propertyNames":{"maxLength":10}']],
      "ChangeList.options names changed maxLength from 20 to 10",
    ],
    ["a field of a response is gone", [['"count":{"type":"integer","minimum":0},', ""]], "List.count is gone"],
    [
      "a nested field of a response is gone",
      [['"note":{"type":"string"}', '"notes":{"type":"string"}']],
      "Item.note is gone",
    ],
    [
      "a field of a response can be absent now",
      [['"required":["listId","count"]', '"required":["listId"]']],
      "List.count can be absent now",
    ],
    [
      "a field of a response has another type",
      [['"listId":{"type":"string"}', '"listId":{"type":"integer"}']],
      "List.listId changed its type from string to integer",
    ],
    [
      "a whole number of a response can have a fraction",
      [['"count":{"type":"integer","minimum"', '"count":{"type":"number","minimum"']],
      "List.count changed its type from integer to number",
    ],
    [
      "a number of a response has a wider range",
      [['"minimum":0', '"minimum":-1']],
      "List.count changed minimum from 0 to -1",
    ],
    [
      "a field of a response can be null now",
      [['"listId":{"type":"string"}', '"listId":{"anyOf":[{"type":"string"},{"type":"null"}]}']],
      "List.listId has a new alternative",
    ],
    [
      "a value of a response is gone",
      [
        [
          '"count":{"type":"integer","minimum":0},"kind":{"type":"string","enum":["private","public"]}',
          '"count":{"type":"integer","minimum":0},"kind":{"type":"string","enum":["private"]}',
        ],
      ],
      'List.kind lost the value "public"',
    ],
    [
      "entries of a response have another type",
      [['"additionalProperties":{"type":"number"}', '"additionalProperties":{"type":"string"}']],
      "List.prices.* changed its type from number to string",
    ],
    ["a status is gone", [['"404"', '"410"']], `${OPERATION}: 404 is gone`],
    [
      "a success has another status",
      [['"responses":{"200":{}}', '"responses":{"201":{}}']],
      "GET /v1/lists/{listId}: 200 is gone",
    ],
    [
      "a success can have a second status",
      [['"responses":{"200":{}}', '"responses":{"200":{},"202":{}}']],
      "GET /v1/lists/{listId}: 202 is a new status of success",
    ],
    [
      "a response has another media type",
      [
        [
          '"content":{"application/json":{"schema":{"$ref":"#/components/schemas/List"',
          '"content":{"text/csv":{"schema":{"$ref":"#/components/schemas/List"',
        ],
      ],
      `${OPERATION}: 200 lost the media type application/json`,
    ],
    [
      "a header is gone",
      [['"headers":{"X-Request-Id":{"$ref"', '"headers":{"X-Id":{"$ref"']],
      `${OPERATION}: 200: header X-Request-Id is gone`,
    ],
    [
      "a header can be absent now",
      [['"headers":{"X-Request-Id":{"required":true', '"headers":{"X-Request-Id":{"required":false']],
      "header X-Request-Id can be absent now",
    ],
    ["a header has another form", [['"^req_"', '"^id_"']], "header X-Request-Id changed pattern from ^req_ to ^id_"],
    [
      "an error code is gone",
      [['"enum":["not_found","rate_limited"]', '"enum":["not_found"]']],
      'Error.code lost the value "rate_limited"',
    ],
    [
      "an error code of an operation is gone",
      [['"enum":["not_found","gone"]', '"enum":["not_found"]']],
      `${OPERATION}: 404.code lost the value "gone"`,
    ],
    [
      "an optional body is required now",
      [
        ['"operationId":"archiveList"', '"operationId":"archiveList","requestBody":{"required":true,"content":{}}'],
        ['"requestBody":{"required":false,"content":{}},', ""],
      ],
      "PUT /v1/lists/{listId}: body is required now",
    ],
    [
      "a field of a response has no list of values any more",
      [['"state":{"type":"string","enum":["open","closed"]}', '"state":{"type":"string"}']],
      "List.state has no list of values any more",
    ],
    [
      "entries of a response have any type",
      [['"additionalProperties":{"type":"number"}', '"additionalProperties":true']],
      "List.prices has other fields of any type now",
    ],
    [
      "an error is composed of other schemas",
      [['"allOf":[{"$ref":"#/components/schemas/Error"},', '"allOf":[']],
      `${OPERATION}: 404 is composed of other schemas`,
    ],
    ["an event is gone", [['"list.created"', '"list.made"']], "event list.created is gone"],
    [
      "a field of an event can be absent now",
      [['"required":["shop"]', '"required":[]']],
      "event list.created.shop can be absent now",
    ],
    [
      "a keyword that the check does not know changes",
      [['"minLength":1', '"contains":{},"minLength":1']],
      "ChangeList.name changed contains, which the check can't judge",
    ],
  ];

  test.each(cases)("%s", (_title, edits, found) => {
    expect(breaks(...edits)).toContain(found);
  });
});

describe("a change passes when", () => {
  const cases: readonly (readonly [title: string, ...edits: Edit[]])[] = [
    ["nothing changes"],
    [
      "there is a new path",
      ['"paths":{', '"paths":{"/v1/new":{"get":{"operationId":"new","security":[],"parameters":[],"responses":{}}},'],
    ],
    [
      "there is a new operation",
      ['"get":{', '"delete":{"operationId":"new","security":[],"parameters":[],"responses":{}},"get":{'],
    ],
    [
      "there is a new optional parameter",
      ['"parameters":[]', '"parameters":[{"name":"v","in":"query","required":false,"schema":{}}]'],
    ],
    ["a parameter's range is wider", ['"maximum":200', '"maximum":500']],
    ["a parameter has another value", ['"enum":["title","price"]', '"enum":["price","title","date"]']],
    ["an operation needs no authentication", ['"security":[{"bearer":["write"]}]', '"security":[]']],
    [
      "an operation has another way to authenticate",
      ['"security":[{"bearer":["write"]}]', '"security":[{"bearer":["write"]},{"key":[]}]'],
    ],
    [
      "a request has a new optional field",
      [
        '"properties":{"name":{"type":"string","minLength"',
        '"properties":{"to":{"type":"string"},"name":{"type":"string","minLength"',
      ],
    ],
    ["a field of a request is optional now", ['"required":["name"]', '"required":[]']],
    ["a text of a request can be longer", ['"maxLength":100', '"maxLength":200']],
    ["a pattern of a request is gone", [',"pattern":"^[a-z]+$"', ""]],
    [
      "a field of a request can be null",
      [
        '"name":{"type":"string","minLength":1,"maxLength":100,"pattern":"^[a-z]+$"}',
        '"name":{"anyOf":[{"type":"null"},{"type":"string","minLength":1,"maxLength":100,"pattern":"^[a-z]+$"}]}',
      ],
    ],
    [
      "a request has another alternative",
      [
        '"change":{"oneOf":[',
        '"change":{"oneOf":[{"type":"object","properties":{"op":{"const":"move"}},"required":["op"]},',
      ],
    ],
    [
      "a value of a request is new",
      [
        '"note":{"anyOf":[{"type":"string","maxLength":500},{"type":"null"}]},"kind":{"type":"string","enum":["private"',
        '"note":{"anyOf":[{"type":"string","maxLength":500},{"type":"null"}]},"kind":{"type":"string","enum":["shared","private"',
      ],
    ],
    [
      "a response has a new field",
      ['"required":["listId","count"]', '"required":["listId","count","total"]'],
      ['"listId":{"type":"string"}', '"listId":{"type":"string"},"total":{"type":"integer"}'],
    ],
    [
      "a field of a response is always there",
      ['"required":["listId","count"]', '"required":["listId","count","name"]'],
    ],
    [
      "a field of a response is never null",
      ['"name":{"anyOf":[{"type":"string"},{"type":"null"}]}', '"name":{"type":"string"}'],
    ],
    [
      "a value of a response is new",
      [
        '"count":{"type":"integer","minimum":0},"kind":{"type":"string","enum":["private"',
        '"count":{"type":"integer","minimum":0},"kind":{"type":"string","enum":["shared","private"',
      ],
    ],
    ["an error code is new", ['"enum":["not_found","rate_limited"]', '"enum":["not_found","rate_limited","gone"]']],
    ["an error has a new status", ['"404":', '"410":{"$ref":"#/components/responses/not_found"},"404":']],
    [
      "a header is new",
      ['"headers":{"X-Request-Id":{"$ref"', '"headers":{"ETag":{"schema":{}},"X-Request-Id":{"$ref"'],
    ],
    ["there is a new event", ['"webhooks":{', '"webhooks":{"list.deleted":{"post":{"requestBody":{"content":{}}}},']],
    [
      "texts, examples and marks change",
      ['"minLength":1', '"description":"a","examples":["b"],"deprecated":true,"x-additive":true,"minLength":1'],
    ],
    [
      "a component has another name",
      ['"Item":{', '"Entry":{'],
      ['"#/components/schemas/Item"', '"#/components/schemas/Entry"'],
    ],
  ];

  test.each(cases.map(([title, ...edits]) => ({ title, edits })))("$title", ({ edits }) => {
    expect(breaks(...edits)).toEqual([]);
  });
});
