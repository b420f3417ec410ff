import { describe, expect, test, vi } from "vitest";
import { verifySignature } from "../../../app/storefront/signature.ts";
import { sign } from "../../support/app/storefront.ts";

const SECRET = "hush";

type Parameters = readonly (readonly [string, string])[];

/** The example of Shopify's documentation. */
const EXAMPLE: Parameters = [
  ["extra", "1"],
  ["extra", "2"],
  ["shop", "shop-name.myshopify.com"],
  ["logged_in_customer_id", "1"],
  ["path_prefix", "/apps/awesome_reviews"],
  ["timestamp", "1317327555"],
];

function query(parameters: Parameters): string {
  return parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
}

/** Signs exactly these parameters. */
function signed(parameters: Parameters): string {
  return query([...parameters, ["signature", sign(parameters, SECRET)]]);
}

function without(name: string): Parameters {
  return EXAMPLE.filter(([one]) => one !== name);
}

function having(name: string, value: string): Parameters {
  return EXAMPLE.map((one) => (one[0] === name ? [name, value] : one));
}

describe("a signature", () => {
  test.each([
    ["1", "4c68c8624d737112c91818c11017d24d334b524cb5c2b8ba08daa056f7395ddb"],
    ["", "e072b6d7e6622d85912a5214b860d3100dc1e73d9bc29f43796ac8c9ff8093cb"],
  ])("from Shopify's documentation is accepted, for customer '%s'", (customerId, signature) => {
    const given = query([...having("logged_in_customer_id", customerId), ["signature", signature]]);
    expect(verifySignature(given, SECRET)).toEqual({
      shop: "shop-name.myshopify.com",
      customerId,
      pathPrefix: "/apps/awesome_reviews",
      timestamp: 1317327555,
    });
    expect(verifySignature(given, "hushed")).toBeUndefined();
  });

  test.each([0, 1, 64, 65, 200])("is accepted by a secret of %i letters", (length) => {
    const secret = "ü".repeat(length);
    const parameters = [...EXAMPLE, ["note", "für 你"]] as const;
    const given = query([...parameters, ["signature", sign(parameters, secret)]]);
    expect(verifySignature(given, secret)).toBeDefined();
    expect(verifySignature(given, `${secret}k`)).toBeUndefined();
  });

  test("is rejected when a parameter is changed, added or left out", () => {
    const good = signed(EXAMPLE);
    expect(verifySignature(good, SECRET)).toBeDefined();
    for (const bad of [
      good.replace("extra=1", "extra=2"),
      good.replace("extra=1&", ""),
      `${good}&more=1`,
      good.replace("logged_in_customer_id=1", "logged_in_customer_id=2"),
      good.replace("shop-name", "other-shop"),
      good.replace("1317327555", "1317327556"),
      good.replace(/signature=../, "signature=00"),
      good.replace(/&signature=.*/, ""),
      good.replace(/signature=.*/, "signature="),
      good.replace(/signature=(.*)/, (_, hex: string) => `signature=${hex.toUpperCase()}`),
      good.replace("extra=1", "extra=%zz"),
      "",
    ]) {
      expect(verifySignature(bad, SECRET)).toBeUndefined();
    }
  });

  test.each(["shop", "logged_in_customer_id", "path_prefix", "timestamp"])("is rejected without %s", (name) => {
    expect(verifySignature(signed(without(name)), SECRET)).toBeUndefined();
  });

  test.each(["shop", "logged_in_customer_id", "path_prefix", "timestamp"])(
    "is rejected when %s is repeated or also spelt differently, though it covers that",
    (name) => {
      const value = EXAMPLE.find(([one]) => one === name)?.[1] ?? "";
      expect(verifySignature(signed([...EXAMPLE, [name, value]]), SECRET)).toBeUndefined();
      expect(verifySignature(signed([...EXAMPLE, [name, ""]]), SECRET)).toBeUndefined();
      expect(verifySignature(signed([...EXAMPLE, [name.toUpperCase(), value]]), SECRET)).toBeUndefined();
      expect(verifySignature(signed([...without(name), [name.toUpperCase(), value]]), SECRET)).toBeUndefined();
    },
  );

  test.each([
    "shop[]",
    "shop[0]",
    "Shop",
    "shop ",
    "logged_in_customer_id[]",
    "logged_in_customer_id[id]",
    "logged-in-customer-id",
    "loggedInCustomerId",
    "logged.in.customer.id",
    "ｓｈｏｐ",
    "path_prefix[]",
    "timestamp[]",
    "Signature",
    "signature[]",
  ])("is rejected beside a parameter that resembles one of Shopify's: %s", (name) => {
    expect(verifySignature(signed([...EXAMPLE, [name, "1"]]), SECRET)).toBeUndefined();
  });

  test.each([
    ["a", "1logged_in_customer_id=5b="],
    ["a", "1shop=other.myshopify.com"],
    ["a=1path_prefix", "/apps/other"],
  ])("is rejected beside a parameter that contains one of Shopify's: %s is '%s'", (name, value) => {
    const parameters = [...EXAMPLE, [name, value]] as const;
    const given = parameters.map(([one, text]) => `${encodeURIComponent(one)}=${encodeURIComponent(text)}`).join("&");
    expect(verifySignature(`${given}&signature=${sign(parameters, SECRET)}`, SECRET)).toBeUndefined();
  });

  test("is rejected over more than 300 parameters", () => {
    const many = Array.from({ length: 300 }, (_, n): [string, string] => [`x${n}`, "1"]);
    expect(verifySignature(signed([...many.slice(0, 295), ...EXAMPLE.slice(2)]), SECRET)).toBeDefined();
    expect(verifySignature(signed([...many, ...EXAMPLE.slice(2)]), SECRET)).toBeUndefined();
  });

  test.each([
    ["logged_in_customer_id", "1,2"],
    ["logged_in_customer_id", "gid://shopify/Customer/1"],
    ["logged_in_customer_id", "1 "],
    ["logged_in_customer_id", "-1"],
    ["shop", "shop.example.com"],
    ["shop", "shop-name.myshopify.com.example.com"],
    ["shop", "Shop-name.myshopify.com"],
    ["path_prefix", "//example.com"],
    ["path_prefix", "/apps/{{ x }}"],
    ["path_prefix", ""],
    ["timestamp", "1e9"],
    ["timestamp", ""],
  ])("is rejected when %s is '%s', though it covers that", (name, value) => {
    expect(verifySignature(signed(having(name, value)), SECRET)).toBeUndefined();
  });

  test("is rejected over a parameter whose name is too long to compare", () => {
    expect(verifySignature(signed([["a".repeat(255), "1"], ...EXAMPLE]), SECRET)).toBeDefined();
    expect(verifySignature(signed([["a".repeat(256), "1"], ...EXAMPLE]), SECRET)).toBeUndefined();
  });

  test("that is wrong is rejected before names of parameters are normalized", () => {
    const normalized = vi.spyOn(String.prototype, "normalize");
    try {
      expect(verifySignature(signed([["ｓｈｏｐ", "1"], ...EXAMPLE]), "hushed")).toBeUndefined();
      expect(normalized).not.toHaveBeenCalled();
    } finally {
      normalized.mockRestore();
    }
  });

  test("is accepted over repeated, empty and unknown parameters", () => {
    const more = [
      ["utm", "a b"],
      ["utm", "ü+&="],
      ["empty", ""],
      ["Shopping", "1"],
    ] as const;
    expect(verifySignature(signed([...more, ...EXAMPLE]), SECRET)).toBeDefined();
  });
});
