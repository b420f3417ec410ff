import { expect } from "vitest";

/** What of an answer is looked at, however it was received. */
export interface ReceivedResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** `details` that name just these places, in this order, and say something about each. */
export function problemsAt(...paths: string[]): { path: string; problem: unknown }[] {
  return paths.map((path) => ({ path, problem: expect.stringMatching(/\S/) as unknown }));
}

/**
 * Holds an error answer to the published shape: this status and code, a message, the request id that the header has too, these
 * `details` and nothing else, in JSON that no cache keeps.
 * @param details left out: there are none
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
