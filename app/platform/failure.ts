/** Codes of the app proxy's answers alone: /v1 has no shoppers. */
export const PROXY_FAILURE_STATUS = {
  invalid_signature: 401,
  login_required: 401,
  forbidden_origin: 403,
  guest_lists_off: 403,
  guest_folded: 410,
} as const;

/** Every code an error answer can carry, with its HTTP status. The list is closed: nothing else is ever answered. */
export const FAILURE_STATUS = {
  ...PROXY_FAILURE_STATUS,
  invalid_request: 400,
  invalid_json: 400,
  missing_token: 401,
  invalid_token: 401,
  token_expired: 401,
  invalid_credentials: 401,
  insufficient_scope: 403,
  plan_required: 403,
  customer_mismatch: 403,
  not_found: 404,
  product_not_found: 404,
  share_not_found: 404,
  webhook_not_found: 404,
  method_not_allowed: 405,
  wishlist_full: 409,
  webhook_limit_reached: 409,
  key_limit_reached: 409,
  catalog_not_connected: 409,
  request_in_progress: 409,
  share_expired: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_mismatch: 422,
  rate_limited: 429,
  internal_error: 500,
  catalog_unavailable: 503,
  service_unavailable: 503,
} as const;

export type FailureCode = keyof typeof FAILURE_STATUS;

/** One thing that is wrong with a request: where, and what to do about it. */
export interface Problem {
  /** such as `body.items[3].addedAt`, `query.limit`, `path.customerId` */
  path: string;
  problem: string;
}

/** An expected refusal. Features return it as a value; it becomes the error answer as it is. */
export class Failure {
  readonly code: FailureCode;
  /** says what happened and what the caller can do; shown to the caller */
  readonly message: string;
  readonly details: Problem[] | Record<string, string | number> | undefined;
  /** whole seconds after which another try makes sense */
  readonly retryAfter: number | undefined;

  constructor(
    code: FailureCode,
    message: string,
    more: { details?: Problem[] | Record<string, string | number>; retryAfter?: number } = {},
  ) {
    this.code = code;
    this.message = message;
    this.details = more.details;
    this.retryAfter = more.retryAfter;
  }
}
