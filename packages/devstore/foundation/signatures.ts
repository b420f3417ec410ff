import { createHmac } from "node:crypto";

function sign(text: string, apiSecret: string, encoding: "hex" | "base64" | "base64url"): string {
  return createHmac("sha256", apiSecret).update(text, "utf8").digest(encoding);
}

/** Returns `X-Shopify-Hmac-Sha256` of a webhook's raw body. */
export function webhookSignature(body: string, apiSecret: string): string {
  return sign(body, apiSecret, "base64");
}

/** Returns `signature` of an app-proxy request: sorted parameters, repeated values joined by commas, no separator. */
export function proxySignature(parameters: URLSearchParams, apiSecret: string): string {
  const names = [...new Set(parameters.keys())].filter((name) => name !== "signature").sort();
  const message = names.map((name) => `${name}=${parameters.getAll(name).join(",")}`).join("");
  return sign(message, apiSecret, "hex");
}

/** Returns `hmac` of the parameters that the admin adds to the frame's address: sorted, as a query string. */
export function frameSignature(parameters: URLSearchParams, apiSecret: string): string {
  const sorted = [...parameters].filter(([name]) => name !== "hmac").sort(([left], [right]) => (left < right ? -1 : 1));
  return sign(new URLSearchParams(sorted).toString(), apiSecret, "hex");
}

/** Returns a JWT with these claims, signed with HS256. */
export function signToken(claims: object, apiSecret: string): string {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
  const signed = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
  return `${signed}.${sign(signed, apiSecret, "base64url")}`;
}
