import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { secrets } from "../process/env.server.ts";
import { Failure } from "../failure.ts";

const MAC_BYTES = 12;

/** What a cursor belongs to. It is accepted with the same values only. */
export interface CursorScope {
  /** such as "changes" */
  of: string;
  shopId: number;
  /** the filter and owner of the request */
  filter: string;
}

function mac(secret: string, { of, shopId, filter }: CursorScope, position: string): Buffer {
  const hmac = createHmac("sha256", `cursor ${secret}`);
  return hmac
    .update(JSON.stringify([of, shopId, filter, position]))
    .digest()
    .subarray(0, MAC_BYTES);
}

/** Returns a cursor: where a list of results continues. Callers can neither read nor make one for other results. */
export function encodeCursor(scope: CursorScope, position: string): string {
  return `${Buffer.from(position).toString("base64url")}.${mac(secrets().tokenSecrets[0], scope, position).toString("base64url")}`;
}

/** Returns the position of a cursor; undefined for a text that is no cursor of the scope. */
export function decodeCursor(scope: CursorScope, cursor: string): string | undefined {
  const [encoded = "", signature = ""] = cursor.split(".");
  const position = Buffer.from(encoded, "base64url").toString();
  const given = Buffer.from(signature, "base64url");
  if (given.length !== MAC_BYTES) return undefined;
  const isValid = secrets().tokenSecrets.some((secret) => timingSafeEqual(mac(secret, scope, position), given));
  return isValid ? position : undefined;
}

export const cursorSchema = z.string().regex(/^[\w.-]{1,300}$/, "is not a cursor");

const FOREIGN = "is not a cursor of this request: send it with the parameters of the response that it is from";

/** Returns the failure for a cursor that `decodeCursor` has not accepted. @param path of the parameter */
export function foreignCursor(path = "query.cursor"): Failure {
  return new Failure("invalid_request", `${path} ${FOREIGN}.`, { details: [{ path, problem: FOREIGN }] });
}
