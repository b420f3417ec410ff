import type { ApiErrorCode, ErrorDetails } from "./types.ts";

/**
 * Codes of failures that have no error of the API: `network_error` (no response), `timed_out`, `invalid_response` (a response that is not the
 * API's, such as a proxy's page or a truncated body).
 */
export type ErrorCode = ApiErrorCode | "network_error" | "timed_out" | "invalid_response";

export interface ErrorFields {
  code: ErrorCode;
  message: string;
  status?: number;
  requestId?: string | undefined;
  details?: ErrorDetails | undefined;
  retryAfter?: number | undefined;
  cause?: unknown;
}

/** The error of every call that fails. Branch on `code`; `message` is for people; `requestId` identifies the request in the service's log. */
export class WishlistError extends Error {
  override readonly name = "WishlistError";
  declare readonly code: ErrorCode;
  /** of the response; 0 without one */
  declare readonly status: number;
  declare readonly requestId?: string | undefined;
  declare readonly details?: ErrorDetails | undefined;
  /** seconds after which the service accepts the request again */
  declare readonly retryAfter?: number | undefined;

  constructor({ message, cause, ...fields }: ErrorFields) {
    super(message, { cause });
    Object.assign(this, { status: 0, ...fields });
  }
}

/** Tells whether an error is a WishlistError, of one of the codes if any are given. */
export function isWishlistError(error: unknown, ...codes: ErrorCode[]): error is WishlistError {
  return error instanceof WishlistError && (codes.length === 0 || codes.includes(error.code));
}
