import { z } from "zod";
import { env } from "../platform/process/env.server.ts";
import { readStart } from "../platform/read-start.server.ts";

const ADDRESS = "https://a.klaviyo.com";
/** The version of Klaviyo's API whose description the requests follow. */
const REVISION = "2026-07-15";
const CONTENT_TYPE = "application/vnd.api+json";
const TIMEOUT = 15_000;
/** Bytes that are read of a response. */
const RESPONSE_LIMIT = 64 * 1_024;
const LONGEST_RETRY_AFTER_S = 12 * 3_600;

export interface KlaviyoResponse {
  /** null when no response arrived */
  status: number | null;
  /** why Klaviyo refused the request, or why no response arrived; null for one that succeeded */
  error: string | null;
  text: string | null;
  retryAfterMs: number | undefined;
}

const refusalSchema = z.object({ errors: z.array(z.object({ detail: z.string() })).min(1) });

function refusalOf(text: string): string {
  try {
    return refusalSchema.parse(JSON.parse(text)).errors[0]?.detail.slice(0, 300) ?? "no reason was given";
  } catch {
    return "no reason was given";
  }
}

function retryAfter(headers: Headers): number | undefined {
  const text = headers.get("retry-after") ?? "";
  return /^\d{1,9}$/.test(text) ? Math.min(Number(text), LONGEST_RETRY_AFTER_S) * 1_000 : undefined;
}

/** Returns where a request goes: to Klaviyo, or to the devstore, which no production process has. */
function target(path: string): { url: URL; headers: Record<string, string> } {
  const { devstoreUrl } = env();
  if (devstoreUrl === undefined) return { url: new URL(path, ADDRESS), headers: {} };
  return { url: new URL(path, devstoreUrl), headers: { "x-forwarded-host": new URL(ADDRESS).hostname } };
}

/** Sends a request with a private key. Never rejects. @param body is sent as JSON:API by POST; without one it is a GET */
export async function callKlaviyo(key: string, path: string, body?: object): Promise<KlaviyoResponse> {
  const { url, headers } = target(path);
  try {
    const response = await fetch(url, {
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      headers: {
        ...headers,
        ...(body === undefined ? {} : { "content-type": CONTENT_TYPE }),
        accept: CONTENT_TYPE,
        authorization: `Klaviyo-API-Key ${key}`,
        revision: REVISION,
      },
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const { status } = response;
    const text = await readStart(response, RESPONSE_LIMIT);
    const error = status >= 200 && status < 300 ? null : `Klaviyo refused the request: ${refusalOf(text)}`;
    return { status, error, text, retryAfterMs: retryAfter(response.headers) };
  } catch (problem) {
    const error = problem instanceof Error && problem.name !== "TimeoutError" ? problem.message : "no response in time";
    return { status: null, error, text: null, retryAfterMs: undefined };
  }
}
