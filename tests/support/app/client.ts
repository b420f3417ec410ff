import { checkAgainstContract } from "./contract.ts";

export interface ApiResponse {
  /** of a failure through the app proxy: the status in its body */
  status: number;
  /** as it was sent */
  httpStatus: number;
  headers: Headers;
  text: string;
  /** the parsed body, when it is JSON */
  body: unknown;
  /** returns `data` of a success; throws for a failure */
  data: <Data>() => Data;
  /** returns `error` of a failure; throws for a success */
  error: () => { code: string; message: string; requestId: string; details?: unknown };
}

export interface CallOptions {
  token?: string | undefined;
  /** sent as JSON */
  json?: unknown;
  /** sent unchanged */
  body?: string | Uint8Array;
  headers?: Record<string, string>;
}

/** Calls the API and checks every response under /v1 against the published contract. */
export type Call = (method: string, path: string, options?: CallOptions) => Promise<ApiResponse>;

interface Envelope {
  ok?: boolean;
  data?: unknown;
  error?: unknown;
}

function parse(text: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The target of requests: the URL of a server, or an app in this process. */
export type Target = string | { fetch: (path: string, init: RequestInit) => Promise<Response> };

/** Returns a client for a server or an app. */
export function client(target: Target): Call {
  const send =
    typeof target === "string" ? (path: string, init: RequestInit) => fetch(target + path, init) : target.fetch;
  return async (method, path, options = {}) => {
    const headers = new Headers(options.headers);
    if (options.token !== undefined) headers.set("authorization", `Bearer ${options.token}`);
    if (options.json !== undefined && !headers.has("content-type")) headers.set("content-type", "application/json");
    const body = options.json === undefined ? options.body : JSON.stringify(options.json);
    const response = await send(path, {
      method,
      headers,
      redirect: "manual",
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : Buffer.from(body) }),
    });
    const text = await response.text();
    const envelope = parse(text);
    if (path.startsWith("/v1"))
      checkAgainstContract({ method, path, status: response.status, headers: response.headers, text });
    const { error: failure } = envelope ?? {};
    const inBody =
      typeof failure === "object" && failure !== null && "status" in failure ? Number(failure.status) : undefined;
    return {
      status: inBody ?? response.status,
      httpStatus: response.status,
      headers: response.headers,
      text,
      body: envelope,
      data<Data>(): Data {
        if (envelope?.ok !== true) throw new Error(`${method} ${path} responded ${response.status}: ${text}`);
        return envelope.data as Data;
      },
      error() {
        const { error } = envelope ?? {};
        if (envelope?.ok !== false || typeof error !== "object" || error === null) {
          throw new Error(`${method} ${path} responded ${response.status} without an error: ${text}`);
        }
        return error as ReturnType<ApiResponse["error"]>;
      },
    };
  };
}

/** Sends a request again while the shop's share of the connections is used up, as on a machine that is busy otherwise: nothing was done then. */
export async function untilServed(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const response = await send();
  return response.status === 503 ? untilServed(send) : response;
}
