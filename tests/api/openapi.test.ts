import { describe, expect } from "vitest";
import { document, resources } from "../../app/surfaces/v1/index.server.ts";
import type { ResponseObject, Operation } from "../../app/http/v1/openapi/document.ts";
import { FAILURES } from "../../app/http/failure-registry.ts";
import type { ApiResponse as Received } from "../support/app/client.ts";
import { contract, misfits, resolve } from "../support/app/contract.ts";
import { test } from "../support/app/fixtures.ts";

interface Documented {
  path: string;
  method: string;
  operation: Operation;
}

const documented: Documented[] = Object.entries(contract.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);
const title = ({ method, path }: Documented): string => `${method} ${path}`;
const byTitle = documented.map((one) => [title(one), one] as const);

/** Returns the documented responses of an operation with their status. */
function responsesOf({ responses }: Operation): [number, ResponseObject][] {
  return Object.entries(responses).flatMap(([status, response]) =>
    status === "default" ? [] : [[Number(status), resolve(response)]],
  );
}

/** Returns the path and query with the example of every required parameter. */
function exampleTarget({ path, operation }: Documented): string {
  const target = operation.parameters.reduce(
    (filled, { name, example }) => filled.replace(`{${name}}`, encodeURIComponent(String(example))),
    path,
  );
  const query = operation.parameters.flatMap(({ name, in: place, required, example }) =>
    place === "query" && required ? [[name, String(example)]] : [],
  );
  return query.length === 0 ? target : `${target}?${new URLSearchParams(query).toString()}`;
}

/** Returns the first example of an operation's body as call options. */
function exampleBody({ operation }: Documented): { json?: unknown } {
  const [content] = Object.values(operation.requestBody?.content ?? {});
  if (!content) return {};
  const [first] = Object.values(content.examples ?? {});
  return { json: first && "value" in first ? first.value : content.example };
}

function codeOf(response: Received): string | undefined {
  return response.status < 400 ? undefined : response.error().code;
}

describe("the document contains", () => {
  test("every operation of every resource", () => {
    const declared = resources.flatMap(({ path, endpoints }) =>
      endpoints.map(({ method, operationId }) => `${method} ${path} ${operationId}`),
    );
    expect(documented.map((one) => `${title(one)} ${one.operation.operationId}`)).toEqual(declared);
    expect(new Set(documented.map(({ operation }) => operation.operationId)).size).toBe(documented.length);
  });

  test("every error code with its status", () => {
    const seen = new Map<string, number>();
    for (const { operation } of documented) {
      for (const [status, { content = {} }] of responsesOf(operation)) {
        for (const { examples = {} } of Object.values(content)) {
          for (const code of Object.keys(examples)) seen.set(code, status);
        }
      }
    }
    const expected: Record<string, number> = Object.fromEntries(
      Object.entries(FAILURES).flatMap(([code, failure]) => ("meaning" in failure ? [[code, failure.status]] : [])),
    );
    // Errors raised before routing are listed in the response `Anywhere`.
    const anywhere = Object.keys(
      contract.components.responses["Anywhere"]?.content?.["application/json"]?.examples ?? {},
    );
    expect(anywhere).toEqual(["invalid_request", "not_found", "method_not_allowed", "payload_too_large"]);
    delete expected["not_found"];
    delete expected["method_not_allowed"];
    // Keys are created in the admin and on the command line.
    delete expected["key_limit_reached"];
    expect(Object.fromEntries(seen)).toEqual(expected);
  });
});

/** Tells whether an operation responds with a stream, whose end its own test awaits. */
function isStream({ operation }: Documented): boolean {
  return responsesOf(operation).some(([, { content }]) => content?.["text/event-stream"] !== undefined);
}

describe("the service matches the document:", () => {
  test.for(byTitle.filter(([, one]) => !isStream(one)))("%s responds", async ([, one], { call, shop }) => {
    // The client rejects undocumented responses.
    const response = await call(one.method, exampleTarget(one), { token: shop.token, ...exampleBody(one) });
    expect(["not_found", "method_not_allowed"]).not.toContain(codeOf(response));
    expect(response.status).toBeLessThan(500);
  });

  test.for(byTitle)("%s requires a token as documented", async ([, one], { call }) => {
    const response = await call(one.method, exampleTarget(one));
    expect(codeOf(response) === "missing_token").toBe(one.operation.security.length > 0);
  });

  test.for(byTitle.filter(([, { operation }]) => operation.security.length > 0))(
    "%s requires the documented scope",
    async ([, one], { call, shop }) => {
      const [scope] = one.operation.security[0]?.["bearer"] ?? [];
      const other = scope === "read_wishlists" ? "write_wishlists" : "read_wishlists";
      const narrow = await call("POST", "/v1/auth/token", {
        json: { api_key: shop.keyId, api_secret: shop.secret, scope: other },
      });
      const { token } = narrow.data<{ token: string }>();
      const response = await call(one.method, exampleTarget(one), { token, ...exampleBody(one) });
      expect(response.error()).toMatchObject({ code: "insufficient_scope", details: { requiredScope: scope } });
    },
  );
});

describe("the document", () => {
  test("is served as generated", async ({ call }) => {
    const response = await call("GET", "/v1/openapi.json");
    expect(JSON.parse(response.text)).toEqual(JSON.parse(JSON.stringify(contract)));
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("public, max-age=300");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  });

  test("gets 304 with a current entity tag", async ({ call }) => {
    const tag = (await call("GET", "/v1/openapi.json")).headers.get("etag") ?? "";
    const again = await call("GET", "/v1/openapi.json", { headers: { "If-None-Match": tag } });
    expect([again.status, again.text]).toEqual([304, ""]);
    const other = await call("GET", "/v1/openapi.json", { headers: { "If-None-Match": '"another"' } });
    expect(other.status).toBe(200);
  });

  test("is the same in every generation", () => {
    expect(JSON.stringify(document())).toBe(JSON.stringify(contract));
  });

  test("describes the paging parameters", () => {
    const parameters = contract.paths["/v1/wishlists/{customerId}"]?.["get"]?.parameters;
    expect(parameters).toMatchObject([
      { name: "customerId", in: "path", required: true, schema: { type: "string", minLength: 1, maxLength: 255 } },
      {
        name: "limit",
        in: "query",
        required: false,
        schema: { type: "integer", minimum: 1, maximum: 200, default: 50 },
      },
      { name: "offset", in: "query", required: false, schema: { type: "integer", minimum: 0, default: 0 } },
      { name: "expand", in: "query", required: false },
      { name: "sort", in: "query", required: false, schema: { default: "added_at" } },
      { name: "direction", in: "query", required: false },
      { name: "available", in: "query", required: false, schema: { default: "false" } },
      { name: "q", in: "query", required: false },
      { name: "If-None-Match", in: "header", required: false },
    ]);
  });

  test("forbids unknown fields in requests and allows them in responses", () => {
    const { AddItem, WishlistPage } = contract.components.schemas;
    expect(AddItem).toHaveProperty("additionalProperties", false);
    expect(WishlistPage).not.toHaveProperty("additionalProperties");
  });
});

describe("the document's examples fit its schemas", () => {
  test.for(byTitle)("%s", ([, { path, method, operation }]) => {
    const endpoint = resources
      .find((resource) => resource.path === path)
      ?.endpoints.find((candidate) => candidate.method === method);
    let checked = 0;
    const hold = (schema: Parameters<typeof misfits>[0], value: unknown): void => {
      expect(misfits(schema, value)).toEqual([]);
      checked++;
    };
    for (const { schema, example } of operation.parameters) {
      for (const value of [example, ...(schema.examples ?? [])]) if (value !== undefined) hold(schema, value);
    }
    for (const { schema, example, examples = {} } of Object.values(operation.requestBody?.content ?? {})) {
      const values = Object.values(examples).flatMap((one) => ("value" in one ? [one.value] : []));
      for (const value of example === undefined ? values : [example, ...values]) {
        hold(schema, value);
        expect(endpoint?.body.safeParse(value)).toMatchObject({ success: true });
      }
      expect(checked).toBeGreaterThan(0);
    }
    for (const [, { content = {} }] of responsesOf(operation)) {
      for (const { schema, example, examples = {} } of Object.values(content)) {
        if (example !== undefined) hold(schema, example);
        for (const code of Object.keys(examples)) hold(schema, contract.components.examples[code]?.value);
      }
    }
    expect(checked).toBeGreaterThan(0);
  });

  test.for(Object.entries(contract.components.headers))("the header %s", ([, { schema, example }]) => {
    expect(misfits(schema, example)).toEqual([]);
  });
});
