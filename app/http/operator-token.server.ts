import { timingSafeEqual } from "node:crypto";
import { sha256 } from "../platform/encryption/crypto.server.ts";
import type { RequestContext } from "./context.ts";
import { failedAuthenticationCharge } from "./policy.server.ts";
import { chargeRequest, checkExhausted } from "./rate-limits.server.ts";

/** Returns the token of a request: that of `Bearer`, or the password of `Basic`, as which some programs send what stands in an address. */
function tokenOf(header: string): string {
  const [, scheme = "", given = ""] = /^(Bearer|Basic) +(\S+)$/i.exec(header) ?? [];
  if (scheme.toLowerCase() !== "basic") return given;
  const credentials = Buffer.from(given, "base64").toString();
  return credentials.slice(credentials.indexOf(":") + 1);
}

/**
 * Tells whether a request has a token of the operator's. Another one counts as a failed authentication of its address.
 * @returns false for an address that has used up its failed authentications, too
 */
export async function hasOperatorToken(request: Request, expected: string, context: RequestContext): Promise<boolean> {
  const header = request.headers.get("authorization");
  if (header === null) return false;
  const charge = failedAuthenticationCharge(context);
  if (await checkExhausted(charge)) return false;
  // Hashed, because the comparison needs equal lengths.
  if (timingSafeEqual(sha256(tokenOf(header)), sha256(expected))) return true;
  await chargeRequest([charge]);
  return false;
}
