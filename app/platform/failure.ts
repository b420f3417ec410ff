/** The status of an error code, with the texts that the OpenAPI document publishes about it. */
export interface FailureDefinition {
  status: number;
  /** When a caller gets the code. Absent for codes that /v1 never returns. */
  meaning?: string;
  /** The message, or an example of it where the message varies. */
  message?: string;
  /** An example. */
  details?: FailureDetails;
}

export type FailureDefinitions = Readonly<Record<string, FailureDefinition>>;

/** Error codes that several features and endpoints use. */
export const COMMON_FAILURES = {
  invalid_request: {
    status: 400,
    meaning: "The path, the query or the body is not as described. `details` lists each problem and where it is.",
    message: "query.limit must be at most 200.",
    details: [{ path: "query.limit", problem: "must be at most 200" }],
  },
  not_found: {
    status: 404,
    meaning: "There is no endpoint at this path.",
    message: "There is no endpoint at this path. GET /v1/docs lists all endpoints.",
  },
  request_in_progress: {
    status: 409,
    meaning: "The first request with this `Idempotency-Key` is still in progress. Retry after `Retry-After` seconds.",
    message: "A request with this Idempotency-Key is in progress. Repeat it in a moment to get its response.",
  },
  rate_limited: {
    status: 429,
    meaning: "A rate limit is used up. Retry after `Retry-After` seconds.",
    message: "More than 120 requests in a minute from this API key. Try again in 12 s.",
  },
  service_unavailable: {
    status: 503,
    meaning:
      "The database is unreachable, or too many requests for this shop are in progress. A change may or may not have been made; repeating it after `Retry-After` seconds is safe.",
    message: "The service can't reach its database right now. Try again shortly.",
  },
} as const satisfies FailureDefinitions;

/** The error codes by feature. Each feature adds its own in its `failures.ts`, by declaration merging. */
export interface FailuresByFeature {
  common: typeof COMMON_FAILURES;
}

/** Every error code. The list is closed: the service returns no other. */
export type FailureCode = {
  [Feature in keyof FailuresByFeature]: keyof FailuresByFeature[Feature];
}[keyof FailuresByFeature];

/** One thing that is wrong with a request: where, and what to do about it. */
export interface Problem {
  /** such as `body.items[3].addedAt`, `query.limit`, `path.customerId` */
  path: string;
  problem: string;
}

export type FailureDetails = readonly Problem[] | Readonly<Record<string, string | number>>;

/** An expected refusal. Features return it as a value, and it becomes the error response. */
export class Failure {
  readonly code: FailureCode;
  /** says what is wrong and what the caller can do about it; shown to the caller */
  readonly message: string;
  readonly details: FailureDetails | undefined;
  /** whole seconds after which the caller may retry */
  readonly retryAfter: number | undefined;

  constructor(code: FailureCode, message: string, more: { details?: FailureDetails; retryAfter?: number } = {}) {
    this.code = code;
    this.message = message;
    this.details = more.details;
    this.retryAfter = more.retryAfter;
  }
}

/** Wraps data as a handler's result; a failure is returned unchanged. */
export function dataOrFailure<Data>(data: Data | Failure): { data: Data } | Failure {
  return data instanceof Failure ? data : { data };
}
