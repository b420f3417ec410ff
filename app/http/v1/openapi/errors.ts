import { z } from "zod";
import { FAILURE_STATUS, PROXY_FAILURE_STATUS, type FailureCode } from "../../../platform/failure.ts";
import type { Endpoint } from "../../endpoint.server.ts";
import { HEADERS } from "./headers.ts";

interface Explanation {
  /** when a caller meets it */
  meaning: string;
  /** an example of the message */
  message: string;
  details?: { path: string; problem: string }[] | Record<string, string | number>;
}

/** A code that /v1 can answer. */
export type ApiCode = Exclude<FailureCode, keyof typeof PROXY_FAILURE_STATUS>;

/** What callers are told of each code. */
const EXPLANATIONS: Record<ApiCode, Explanation> = {
  invalid_request: {
    meaning: "The path, the query or the body is not as described; `details` lists where and what.",
    message: "query.limit must be at most 200.",
    details: [{ path: "query.limit", problem: "must be at most 200" }],
  },
  invalid_json: {
    meaning: "The body is not JSON in UTF-8, or is missing.",
    message: "The request has no body. Send a JSON object.",
  },
  missing_token: {
    meaning: "There is no `Authorization` header.",
    message: "Send the access token as `Authorization: Bearer <token>`.",
  },
  invalid_token: {
    meaning: "The access token is not valid, or its key was revoked.",
    message: "The access token is not valid. Get a new one from POST /v1/auth/token.",
  },
  token_expired: {
    meaning: "The access token has expired.",
    message: "The access token has expired. Get a new one from POST /v1/auth/token.",
  },
  invalid_credentials: {
    meaning: "Key and secret do not match an active key.",
    message: "The API key and secret do not match an active key. Create keys in the app under Settings, API keys.",
  },
  insufficient_scope: {
    meaning: "The token or the key lacks a scope.",
    message: "This token lacks the scope `write_wishlists`.",
    details: { requiredScope: "write_wishlists" },
  },
  plan_required: {
    meaning: "The shop's plan does not include this.",
    message: "Sharing needs the Starter plan or a higher one.",
    details: { requiredPlan: "starter" },
  },
  customer_mismatch: {
    meaning: "The token is bound to another customer.",
    message: "This token is bound to another customer.",
  },
  not_found: {
    meaning: "There is nothing at this path.",
    message: "There is nothing at this path. GET /v1/docs lists what there is.",
  },
  product_not_found: {
    meaning: "The shop has no such product, so its default variant can't be told.",
    message: "The shop has no product 8261504012487. Check the id, or send `variant_id` to save it unchecked.",
  },
  share_not_found: {
    meaning: "No share link has this token.",
    message: "There is no shared wishlist with this token.",
  },
  webhook_not_found: {
    meaning: "The shop has no such webhook, or the webhook no such delivery.",
    message: "There is no webhook with this id.",
  },
  method_not_allowed: {
    meaning: "The path does not answer this method; `Allow` lists those that it does.",
    message: "/v1/wishlists/{customerId} answers GET, HEAD, OPTIONS.",
  },
  wishlist_full: {
    meaning: "The wishlist holds as many items as one can.",
    message: "The wishlist is full. Remove items before adding more; nothing was changed.",
  },
  webhook_limit_reached: {
    meaning: "The shop has as many webhooks as one can.",
    message: "The shop has 20 webhooks. Delete one before making another.",
  },
  key_limit_reached: {
    meaning: "The shop has as many active API keys as one can.",
    message: "The shop has 50 active API keys, the most that it can have. Revoke one that is no longer used.",
  },
  catalog_not_connected: {
    meaning: "The shop's catalogue is not connected, so default variants are not known: send the variant.",
    message: "This shop has no catalogue connection, so the default variant is not known. Send `variant_id` as well.",
  },
  request_in_progress: {
    meaning: "The first request with this `Idempotency-Key` is still under way; try again after `Retry-After` seconds.",
    message: "A request with this Idempotency-Key is under way. Repeat it in a moment to get its answer.",
  },
  share_expired: {
    meaning: "The share link has expired or was revoked.",
    message: "This share link has expired or was revoked. Ask its owner for a new one.",
  },
  payload_too_large: {
    meaning:
      "The body is larger than the operation takes: 4 KiB for the token exchange, 256 KiB for a merge, else 16 KiB.",
    message: "The request body has more than 16384 bytes.",
  },
  unsupported_media_type: {
    meaning: "The body is not declared as JSON.",
    message: "Send the body as JSON, with `Content-Type: application/json`.",
  },
  idempotency_mismatch: {
    meaning: "The `Idempotency-Key` was used for another request.",
    message: "This Idempotency-Key was used for another request. Make a new key for each request.",
  },
  rate_limited: {
    meaning: "A quota is used up; try again after `Retry-After` seconds.",
    message: "More than 120 requests in a minute from this API key. Try again in 12 s.",
  },
  internal_error: {
    meaning: "Something unexpected went wrong on our side.",
    message: "Something went wrong on our side. Quote the request id when you report it.",
  },
  catalog_unavailable: {
    meaning: "The shop's catalogue can't be asked right now. Nothing was stored.",
    message: "The shop's catalogue can't be asked right now. Try again, or send `variant_id` as well.",
  },
  service_unavailable: {
    meaning:
      "The database is out of reach, or too many calls for this shop are in progress. A change may or may not have been made; repeating it after `Retry-After` seconds is safe.",
    message: "The service can't reach its database right now. Try again shortly.",
  },
};

const REQUEST_ID = HEADERS["X-Request-Id"];

const codes = Object.keys(FAILURE_STATUS).filter(isCode);

function isCode(text: string): text is ApiCode {
  return text in FAILURE_STATUS && !(text in PROXY_FAILURE_STATUS);
}

/** The body of every answer that is no success. */
export const errorSchema = z
  .strictObject({
    ok: z.literal(false),
    error: z.strictObject({
      code: z.enum(codes).meta({ description: "Tells programs what happened" }),
      message: z.string().meta({ description: "Tells people what happened and what to do about it" }),
      requestId: z
        .string()
        .regex(new RegExp(REQUEST_ID.schema.pattern))
        .meta({ description: "The answer's `X-Request-Id`" }),
      details: z
        .union([
          z
            .array(z.strictObject({ path: z.string(), problem: z.string() }))
            .meta({ description: "With `invalid_request`: each problem and where it is" }),
          z.record(z.string(), z.union([z.string(), z.number()])).meta({ description: "What is required instead" }),
        ])
        .optional(),
    }),
  })
  .meta({ id: "Error", description: "Why a request was refused or failed" });

export function meaningOf(code: ApiCode): string {
  return EXPLANATIONS[code].meaning;
}

export function errorExample(code: ApiCode): z.infer<typeof errorSchema> {
  const { message, details } = EXPLANATIONS[code];
  return {
    ok: false,
    error: { code, message, requestId: REQUEST_ID.example, ...(details === undefined ? {} : { details }) },
  };
}

/** What any path can answer, whatever its operations are: the request came to nothing of theirs. */
export const ANY_PATH_CODES: readonly ApiCode[] = [
  "invalid_request",
  "not_found",
  "method_not_allowed",
  "payload_too_large",
];

/** What is no HTTP request of a fair size and speed has no path yet: it is `invalid_request`, with the status that HTTP has for it. */
export const UNREADABLE_STATUSES: readonly number[] = [408, 431];

/** Everything that an endpoint can answer when it refuses or fails: its own codes and those that follow from how it is declared. */
export function codesOf(endpoint: Endpoint, readsBody: boolean, parameters: readonly string[]): ApiCode[] {
  const { kind } = endpoint.access;
  const possible = new Set<FailureCode>(endpoint.failures);
  possible.add("invalid_request").add("internal_error");
  if (readsBody) possible.add("invalid_json").add("payload_too_large").add("unsupported_media_type");
  if (kind === "credentials") possible.add("invalid_credentials");
  if (kind === "bearer") {
    possible.add("missing_token").add("invalid_token").add("token_expired").add("insufficient_scope");
    if (parameters.includes("customerId")) possible.add("customer_mismatch");
  }
  if (endpoint.idempotent) possible.add("request_in_progress").add("idempotency_mismatch");
  if (kind !== "unmetered") possible.add("rate_limited").add("service_unavailable");
  return codes.filter((code) => possible.has(code));
}
