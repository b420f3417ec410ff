import { timingSafeEqual, createHash } from "node:crypto";
import { z } from "zod";
import { nowMs } from "../../../app/platform/clock.server.ts";
import type { Store } from "../store/store.ts";
import { ONLINE_SECONDS, type AccessToken } from "../store/access-tokens.ts";
import { verifySessionToken } from "../store/session-tokens.ts";

const TOKEN_TYPE = "urn:shopify:params:oauth:token-type:";

const credentials = { client_id: z.string(), client_secret: z.string() };

const bodySchema = z.discriminatedUnion("grant_type", [
  z.object({
    grant_type: z.literal("urn:ietf:params:oauth:grant-type:token-exchange"),
    ...credentials,
    subject_token: z.string(),
    subject_token_type: z.literal("urn:ietf:params:oauth:token-type:id_token"),
    requested_token_type: z.enum([`${TOKEN_TYPE}online-access-token`, `${TOKEN_TYPE}offline-access-token`]),
    expiring: z.enum(["0", "1"]).default("0"),
  }),
  z.object({ grant_type: z.literal("refresh_token"), ...credentials, refresh_token: z.string() }),
]);
type Body = z.infer<typeof bodySchema>;

type Refusal =
  | "invalid_request"
  | "unsupported_grant_type"
  | "application_cannot_be_found"
  | "invalid_client"
  | "invalid_subject_token"
  | "invalid_grant"
  | "app_not_installed"
  | "internal_error";

function refuse(store: Store, error: Refusal, description: string, status = 400): Response {
  store.journal.record({ kind: "oauth", summary: `refused: ${error}, ${description}`, status });
  return Response.json({ error, error_description: description }, { status });
}

function equal(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** `POST /admin/oauth/access_token`: token exchange and refresh. */
export async function tokenEndpoint(store: Store, request: Request): Promise<Response> {
  await store.faults.slowDown("token");
  const { switches } = store.faults;
  if (switches.token === "error") return refuse(store, "internal_error", "injected fault", 500);
  if (switches.token === "invalid_subject_token") return refuse(store, "invalid_subject_token", "injected fault");
  const fault = await store.faults.encounter("token");
  if (fault !== undefined) {
    const status = typeof fault === "object" ? fault.status : 400;
    return refuse(store, status < 500 ? "invalid_request" : "internal_error", "injected fault", status);
  }
  const body = await readBody(request);
  if (body instanceof Error) return refuse(store, "invalid_request", body.message);
  const parsed = bodySchema.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue?.path.join(".") ?? "";
    if (field === "grant_type") return refuse(store, "unsupported_grant_type", "unknown grant_type");
    return refuse(store, "invalid_request", `${field}: ${issue?.message ?? "is not valid"}`);
  }
  if (!equal(parsed.data.client_id, store.options.apiKey)) {
    return refuse(store, "application_cannot_be_found", "Could not find an app with this client_id");
  }
  if (!equal(parsed.data.client_secret, store.options.apiSecret)) {
    return refuse(store, "invalid_client", "Client authentication failed: client_secret is wrong");
  }
  if (!store.installation.installed) {
    return refuse(store, "app_not_installed", "The app is not installed on this shop");
  }
  return grant(store, parsed.data);
}

async function grant(store: Store, body: Body): Promise<Response> {
  const { scopes } = store.installation;
  if (body.grant_type === "refresh_token") {
    const token = store.tokens.refresh(body.refresh_token, scopes);
    if (token === undefined) return refuse(store, "invalid_grant", "The refresh token is expired, used or unknown");
    store.journal.record({ kind: "oauth", summary: "refreshed an offline token", status: 200 });
    return respond(store, token);
  }
  const verified = await verifySessionToken(store, body.subject_token);
  if ("problem" in verified) return refuse(store, "invalid_subject_token", verified.problem);
  const kind = body.requested_token_type === `${TOKEN_TYPE}online-access-token` ? "online" : "offline";
  const token = store.tokens.issue(kind, scopes, body.expiring === "1");
  store.journal.record({ kind: "oauth", summary: `exchanged a session token for an ${kind} token`, status: 200 });
  return respond(store, token);
}

function respond(store: Store, { token, kind, scopes, expiresAt, refresh }: AccessToken): Response {
  const secondsTo = (moment: number) => Math.round((moment - nowMs()) / 1000);
  const { id, firstName, lastName, email } = store.staff.owner;
  return Response.json(
    {
      access_token: token,
      scope: scopes.join(","),
      ...(expiresAt !== undefined && { expires_in: kind === "online" ? ONLINE_SECONDS : secondsTo(expiresAt) }),
      ...(refresh !== undefined && {
        refresh_token: refresh.token,
        refresh_token_expires_in: secondsTo(refresh.expiresAt),
      }),
      ...(kind === "online" && {
        associated_user_scope: scopes.join(","),
        associated_user: {
          id: Number(id),
          first_name: firstName,
          last_name: lastName,
          email,
          email_verified: true,
          account_owner: true,
          locale: "en",
          collaborator: false,
        },
      }),
    },
    { headers: { "cache-control": "no-store" } },
  );
}

/** Parses a JSON body, or a form as in OAuth 2.0. */
async function readBody(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  try {
    if (type.startsWith("application/json")) return await request.json();
    return Object.fromEntries(new URLSearchParams(await request.text()));
  } catch {
    return new Error("the body is not JSON");
  }
}
