import { expect } from "vitest";

/** The inspected parts of a response of any client. */
export interface ReceivedResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** Returns a matcher for `details` with exactly these paths, in this order, each with a message. */
export function problemsAt(...paths: string[]): { path: string; problem: unknown }[] {
  return paths.map((path) => ({ path, problem: expect.stringMatching(/\S/) as unknown }));
}

/**
 * Checks an error response: status, code, a message, the request id of the header, these `details` and nothing else, as
 * JSON that is not cached.
 * @param details none when left out
 */
export function expectFailure(response: ReceivedResponse, status: number, code: string, details?: unknown): void {
  const { headers } = response;
  expect({ status: response.status, body: response.text === "" ? "" : (JSON.parse(response.text) as unknown) }).toEqual(
    {
      status,
      body: {
        ok: false,
        error: {
          code,
          message: expect.stringMatching(/\S/) as unknown,
          requestId: headers.get("x-request-id"),
          ...(details === undefined ? {} : { details }),
        },
      },
    },
  );
  expect(headers.get("x-request-id")).toMatch(/^req_[0-9A-Za-z]{22}$/);
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(headers.get("cache-control")).toBe("no-store");
}
