import { createHmac } from "node:crypto";

/** `signature` of an app-proxy request: its parameters sorted, repeated ones joined by commas, without a separator. */
export function proxySignature(parameters: URLSearchParams, apiSecret: string): string {
  const names = [...new Set(parameters.keys())].filter((name) => name !== "signature").sort();
  const message = names.map((name) => `${name}=${parameters.getAll(name).join(",")}`).join("");
  return createHmac("sha256", apiSecret).update(message).digest("hex");
}
