import { expect, test } from "vitest";
import { proxySignature } from "../foundation/signatures.ts";

// Shopify's published vectors, with the secret "hush".
const QUERY = "extra=1&extra=2&shop=shop-name.myshopify.com&path_prefix=%2Fapps%2Fawesome_reviews&timestamp=1317327555";

test.each([
  ["1", "4c68c8624d737112c91818c11017d24d334b524cb5c2b8ba08daa056f7395ddb"],
  ["", "e072b6d7e6622d85912a5214b860d3100dc1e73d9bc29f43796ac8c9ff8093cb"],
])("the signature of an app-proxy request of customer %j equals Shopify's", (customer, signature) => {
  const query = new URLSearchParams(`${QUERY}&logged_in_customer_id=${customer}&signature=whatever`);
  expect(proxySignature(query, "hush")).toBe(signature);
});
