import { z } from "zod";
import type { FailureCode, FailureDefinition } from "../../../platform/failure.ts";
import type { Endpoint } from "../../endpoint.server.ts";
import { FAILURES, type PublishedCode } from "../../failure-registry.ts";
import { HEADERS } from "./headers.ts";

/** A code that /v1 returns. */
export type ApiCode = PublishedCode;

/** The codes that /v1 returns, in the order of the document. The list is part of the contract: a new code is added on purpose. */
const API_CODES = [
  "invalid_request",
  "invalid_json",
  "not_bound",
  "missing_token",
  "invalid_token",
  "token_expired",
  "invalid_credentials",
  "invalid_publishable_key",
  "invalid_customer_token",
  "invalid_session_token",
  "insufficient_scope",
  "plan_required",
  "customer_mismatch",
  "session_without_customer",
  "customer_required",
  "guest_lists_off",
  "origin_not_allowed",
  "not_found",
  "product_not_found",
  "list_not_found",
  "item_not_found",
  "version_not_found",
  "share_not_found",
  "webhook_not_found",
  "method_not_allowed",
  "wishlist_full",
  "guest_merged",
  "list_name_taken",
  "list_limit_reached",
  "alert_request_limit",
  "alerts_unavailable",
  "default_list",
  "webhook_limit_reached",
  "key_limit_reached",
  "catalog_not_connected",
  "request_in_progress",
  "share_expired",
  "version_expired",
  "cursor_expired",
  "payload_too_large",
  "unsupported_media_type",
  "idempotency_mismatch",
  "rate_limited",
  "internal_error",
  "catalog_unavailable",
  "customer_accounts_unavailable",
  "service_unavailable",
] as const satisfies readonly ApiCode[];

const REQUEST_ID = HEADERS["X-Request-Id"];

/** The body of every error response. */
export const errorSchema = z
  .strictObject({
    ok: z.literal(false),
    error: z.strictObject({
      code: z.enum(API_CODES).meta({ description: "What happened, for programs" }),
      message: z.string().meta({ description: "What happened and what to do about it, for people" }),
      requestId: z
        .string()
        .regex(new RegExp(REQUEST_ID.schema.pattern))
        .meta({ description: "The response's `X-Request-Id`" }),
      details: z
        .union([
          z
            .array(z.strictObject({ path: z.string(), problem: z.string() }))
            .meta({ description: "With `invalid_request`: each problem and its location" }),
          z.record(z.string(), z.union([z.string(), z.number()])).meta({ description: "What is required instead" }),
        ])
        .optional(),
    }),
  })
  .meta({ id: "Error", description: "Why a request was refused or failed" });

export function meaningOf(code: ApiCode): string {
  return FAILURES[code].meaning;
}

export function errorExample(code: ApiCode): { ok: false; error: object } {
  const { message, details }: FailureDefinition = FAILURES[code];
  return {
    ok: false,
    error: { code, message, requestId: REQUEST_ID.example, ...(details === undefined ? {} : { details }) },
  };
}

/** Codes that every path can return, because they are raised before an operation is selected. */
export const ANY_PATH_CODES: readonly ApiCode[] = [
  "invalid_request",
  "not_found",
  "method_not_allowed",
  "payload_too_large",
];

/** Statuses of requests that could not be read as HTTP: too slow (408) or too large headers (431). Their code is `invalid_request`. */
export const UNREADABLE_STATUSES: readonly number[] = [408, 431];

/** Returns the codes that an endpoint can return: those that it declares, and those that follow from its policy, body and parameters. */
export function codesOf(endpoint: Endpoint, readsBody: boolean, parameters: readonly string[]): ApiCode[] {
  const { kind } = endpoint.access;
  const possible = new Set<FailureCode>(endpoint.failures);
  possible.add("invalid_request").add("internal_error");
  if (readsBody) possible.add("invalid_json").add("payload_too_large").add("unsupported_media_type");
  if (kind === "credentials") possible.add("invalid_credentials");
  if (kind === "publishable") possible.add("invalid_publishable_key").add("origin_not_allowed");
  if (kind === "session_token") possible.add("invalid_session_token").add("session_without_customer");
  if (kind === "bearer") {
    possible.add("missing_token").add("invalid_token").add("token_expired").add("insufficient_scope");
    if (parameters.includes("customerId")) {
      possible.add("customer_mismatch").add("not_bound").add("guest_lists_off");
      if (endpoint.access.scope === "write_wishlists") possible.add("guest_merged");
    }
    if (endpoint.access.customersOnly) possible.add("customer_required");
  }
  if (endpoint.idempotent) possible.add("request_in_progress").add("idempotency_mismatch");
  if (kind !== "unmetered") possible.add("rate_limited").add("service_unavailable");
  return API_CODES.filter((code) => possible.has(code));
}
