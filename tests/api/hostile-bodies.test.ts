import { expect } from "vitest";
import type { RequestContext } from "../../app/http/context.ts";
import { BODY_LIMIT, LIST_BODY_LIMIT } from "../../app/http/body.server.ts";
import { v1 } from "../../app/surfaces/v1/index.server.ts";
import { provideEnv } from "../../app/platform/process/env.server.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { serviceEnv } from "../support/app/service.ts";
import type { TestShop } from "../support/app/shop.ts";
import { test } from "../support/app/fixtures.ts";
import { MATRIX } from "../support/matrix.ts";

/** The allowed multiple of an ordinary request's processor time. Work that grows with the square of the body costs hundreds of times as much. */
const AT_MOST = 25;
const ROUNDS = 9;

let service: InProcessApp;
let shop: TestShop;

test.override("shopOptions", { products: { p1: "v1" } });
test.beforeAll(({ app, shop: madeShop }) => {
  service = app;
  shop = madeShop;
  provideEnv({ ...serviceEnv(service.database.url), LOG_LEVEL: "silent" });
});

interface Sent {
  target: string;
  type?: string;
  body?: string;
  headers?: Record<string, string>;
}

async function statusOf({ target, body, type = "application/json", headers = {} }: Sent): Promise<number> {
  const http: RequestContext = { requestId: "req_x", clientAddress: "127.0.0.1", target, timing: {}, logged: {} };
  const request = new Request(`http://x${target.split("?", 1)[0] ?? ""}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${shop.token}`, "content-type": type, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const response = await v1({ request, context: { http }, params: {} });
  await response.text();
  return response.status;
}

/** Returns the processor time of one request on this thread in milliseconds. */
async function cost(sent: Sent): Promise<number> {
  const before = process.threadCpuUsage();
  await statusOf(sent);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Returns the least processor time of each request over all rounds in milliseconds. The least is what the work costs: whatever else the machine does
 * only adds to it. The requests take turns, so that a slow moment does not meet all rounds of one.
 */
async function leastCosts(requests: readonly Sent[]): Promise<number[]> {
  const least = requests.map(() => Infinity);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, sent] of requests.entries()) {
      least[index] = Math.min(least[index] ?? Infinity, await cost(sent));
    }
  }
  return least;
}

/** Repeats a piece up to the size limit. */
function filled(before: string, piece: (n: number) => string, after: string, limit: number): string {
  let text = "";
  for (let n = 0; before.length + text.length + piece(n).length + after.length + 1 <= limit; n++) {
    text += (n === 0 ? "" : ",") + piece(n);
  }
  return before + text + after;
}

const short = (n: number): string => `"${n.toString(36)}":1`;
const misspelt = (n: number): string => `"product_i${n.toString(36)}":1`;
const ITEM = '{"productId":"1","addedAt":"2026-11-01T10:00:00Z"}';

/** The most expensive bodies of the allowed size. */
function bodies(limit: number, inList: boolean): [what: string, body: string][] {
  const [open, close] = inList ? ['{"items":[', "]}"] : ["", ""];
  const some: [string, string][] = [
    ["unknown fields", filled("{", short, "}", limit)],
    ["misspelt fields", filled("{", misspelt, "}", limit)],
    ["one endless name", `{"${"p".repeat(limit - 8)}":1}`],
    ["one endless value", `{"product_id":"${"p".repeat(limit - 20)}"}`],
    ["lists in each other", "[".repeat(limit / 2) + "]".repeat(limit / 2)],
    ["objects in each other", '{"a":'.repeat(limit / 6 - 1) + "1" + "}".repeat(limit / 6 - 1)],
    [
      "as many unknown fields as are parsed",
      `{${Array.from({ length: 9_000 }, (_, n) => short(n)).join()}}`.slice(0, limit),
    ],
    ["numeric names", filled("{", (n) => `"${n * 7919}":1`, "}", limit)],
    ["the same name again and again", filled("{", () => '"product_id":1', "}", limit)],
    ["escapes", `{"product_id":"${"\\u0041".repeat(limit / 6 - 10)}"}`],
    ["digits without end", `{"product_id":${"9".repeat(limit - 20)}}`],
  ];
  if (!inList) return some;
  return [
    ...some,
    ["wrong elements", filled(open, () => "1", close, limit)],
    ["empty elements", filled(open, () => "{}", close, limit)],
    ["a few elements with unknown fields each", filled(open, () => filled("{", misspelt, "}", 2_000), close, limit)],
    ["as many elements as fit", filled(open, () => ITEM, close, limit)],
    ["elements in lists", filled(open, () => "[[]]", close, limit)],
    ["as many wrong elements as are parsed", `{"items":[${Array<string>(9_900).fill("1").join()}]}`],
    ["a thousand wrong elements", `{"items":[${Array<string>(1_000).fill("1").join()}]}`],
    ["a thousand empty elements", `{"items":[${Array<string>(1_000).fill("{}").join()}]}`],
  ];
}

test("no request of an allowed size costs 25 times an ordinary one's processor time", MATRIX, async () => {
  const at = "/v1/wishlists/c1";
  const ordinary: Sent = { target: `${at}/items`, body: '{"product_id":"p1"}' };
  expect(await statusOf(ordinary)).toBe(200);

  const hostile: [what: string, sent: Sent][] = [
    ...bodies(4 * 1024, false).map(([what, body]): [string, Sent] => [
      `exchange: ${what}`,
      { target: "/v1/auth/token", body },
    ]),
    ...bodies(BODY_LIMIT, false).map(([what, body]): [string, Sent] => [`add: ${what}`, { ...ordinary, body }]),
    ...bodies(LIST_BODY_LIMIT, true).map(([what, body]): [string, Sent] => [
      `merge: ${what}`,
      { target: `${at}/merge`, body },
    ]),
    ...[
      filled("", (n) => `x${n.toString(36)}=1`, "", 15_000).replaceAll(",", "&"),
      "limit=1&".repeat(1_900),
      "&".repeat(15_000),
      `limit=${"9".repeat(15_000)}`,
      "%41".repeat(5_000),
    ].map((query): [string, Sent] => [`read: ?${query.slice(0, 12)}…`, { target: `${at}?${query}` }]),
    ...[
      ['"x",'.repeat(3_800), "if-none-match"],
      ['"'.repeat(15_000), "if-none-match"],
      ["gzip;q=0.1,".repeat(1_300), "accept-encoding"],
    ].map(([value = "", name = ""]): [string, Sent] => [
      `read: ${name} ${value.slice(0, 12)}…`,
      { target: at, headers: { [name]: value } },
    ]),
  ];
  const [yardstick = NaN, ...costs] = await leastCosts([ordinary, ...hostile.map(([, sent]) => sent)]);
  const multiples = hostile.map(([what], index) => ({ what, times: (costs[index] ?? NaN) / yardstick }));
  expect(multiples.filter(({ times }) => !(times <= AT_MOST))).toEqual([]);
});
