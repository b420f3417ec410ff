import { setTimeout as pause } from "node:timers/promises";
import type { Session as SessionRow } from "@prisma/client";
import { Session } from "@shopify/shopify-app-remix/server";
import { z } from "zod";
import { AdminApiError } from "../admin-api/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { prisma } from "../platform/database/database.server.ts";
import { log } from "../platform/log/log.server.ts";
import { readSession, toRow } from "./storage.server.ts";

// A refresh token is replaced when it is used, so one process at a time refreshes a shop's tokens: the one with the lease of the session's row. The
// others wait for the new tokens.

/** Milliseconds before its expiry at which an access token is refreshed. Shopify's library would refresh a token within five minutes of it. */
const REFRESH_WITHIN = 6 * 60_000;
/** Milliseconds that a lease lasts: longer than the time limit of the request. After a kill, the next refresh has to wait so long. */
const LEASE_MS = 20_000;
/** Requests for new tokens until a session counts as failed. */
const MAX_REQUESTS = 2;
/** Milliseconds between two looks for the tokens that another process requests. */
const POLL_MS = 100;

/** Sends a refresh token to the shop's token endpoint. */
export type RefreshRequest = (shop: string, refreshToken: string) => Promise<Response>;

/** A session with an access token. */
interface ValidSession {
  session: Session;
  accessToken: string;
  expires: Date;
}

const tokensSchema = z.object({
  access_token: z.string(),
  scope: z.string(),
  expires_in: z.number(),
  refresh_token: z.string(),
  refresh_token_expires_in: z.number(),
});

const secondsFromNow = (seconds: number): Date => new Date(now().getTime() + seconds * 1_000);

/** Returns the session if its access token is valid for long enough. */
function asValid(session: Session): ValidSession | undefined {
  const { accessToken, expires } = session;
  if (accessToken === undefined || expires === undefined) return undefined;
  return expires.getTime() - now().getTime() > REFRESH_WITHIN ? { session, accessToken, expires } : undefined;
}

/**
 * Returns the shop's offline session with a valid access token, which it refreshes when necessary: once over all processes.
 * @returns undefined for a shop without a session
 * @throws AdminApiError when the token can't be refreshed
 */
export async function validSession(shop: string, request: RefreshRequest): Promise<ValidSession | undefined> {
  for (let requests = 0; ;) {
    const row = await prisma().session.findUnique({ where: { id: `offline_${shop}` } });
    const session = row ? readSession(row) : undefined;
    if (!row || !session) return undefined;
    const valid = asValid(session);
    if (valid) return valid;
    const { refreshToken } = session;
    if (refreshToken === undefined) {
      throw new AdminApiError("unauthorized", "The access token has expired and there is no refresh token");
    }
    if (requests === MAX_REQUESTS) {
      throw new AdminApiError("refused", "Shopify issues access tokens that expire within minutes");
    }
    if (!(await claimRefresh(row))) {
      await pause(POLL_MS);
      continue;
    }
    requests++;
    const refused = await refresh(row, session, await requestOrRelease(row, () => request(shop, refreshToken)));
    if (!refused) continue;
    // Another process or an authorization has stored other tokens in the meantime.
    if ((await recordRefusal(row, refused)) || requests === MAX_REQUESTS) throw refused;
  }
}

/** Matches the session as long as it has the refresh token that was read. A sealed token differs with each sealing. */
const unchanged = ({ id, refreshToken }: SessionRow) => ({ id, refreshToken });

/** @returns false while another process refreshes the tokens, or when they have been replaced */
async function claimRefresh(row: SessionRow): Promise<boolean> {
  const { count } = await prisma().session.updateMany({
    where: { ...unchanged(row), OR: [{ refreshLeaseUntil: null }, { refreshLeaseUntil: { lt: now() } }] },
    data: { refreshLeaseUntil: secondsFromNow(LEASE_MS / 1_000) },
  });
  return count > 0;
}

interface TokenResponse {
  status: number;
  ok: boolean;
  body: string;
}

/** Sends the request and reads the response. Without it, the next refresh need not wait for the lease to expire. */
async function requestOrRelease(row: SessionRow, send: () => Promise<Response>): Promise<TokenResponse> {
  try {
    const response = await send();
    return { status: response.status, ok: response.ok, body: await response.text() };
  } catch (error) {
    await prisma().session.updateMany({ where: unchanged(row), data: { refreshLeaseUntil: null } });
    throw error;
  }
}

/** Stores the tokens of a response, unless others were stored since. @returns the refusal, if the response is one */
async function refresh(
  row: SessionRow,
  session: Session,
  { status, ok, body }: TokenResponse,
): Promise<AdminApiError | undefined> {
  if (!ok) return toRefusal(status, body);
  const tokens = tokensSchema.safeParse(parseJson(body));
  if (!tokens.success) return new AdminApiError("refused", `unexpected response: ${tokens.error.message}`);
  const { id: _id, ...data } = toRow(
    new Session({
      ...session.toObject(),
      scope: tokens.data.scope,
      accessToken: tokens.data.access_token,
      expires: secondsFromNow(tokens.data.expires_in),
      refreshToken: tokens.data.refresh_token,
      refreshTokenExpires: secondsFromNow(tokens.data.refresh_token_expires_in),
    }),
  );
  await prisma().session.updateMany({ where: unchanged(row), data });
  return undefined;
}

const refusalSchema = z.object({ error: z.string(), error_description: z.string().optional() });

/** Shopify says `app_not_installed` as JSON, or on a page. */
const NOT_INSTALLED = /\bapp_not_installed\b/;

function toRefusal(status: number, body: string): AdminApiError {
  const named = refusalSchema.safeParse(parseJson(body)).data;
  const provesUninstall = status < 500 && NOT_INSTALLED.test(body);
  const error = named?.error ?? (provesUninstall ? "app_not_installed" : undefined);
  const message = `Shopify does not refresh the access token: ${[status, error, named?.error_description].filter((part) => part !== undefined).join(" ")}`;
  if (status === 429) return new AdminApiError("throttled", message, { status });
  return new AdminApiError(status < 500 ? "unauthorized" : "unreachable", message, { status, provesUninstall });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Releases the lease, and records a refusal for the operator. @returns false when the tokens have been replaced since */
async function recordRefusal(row: SessionRow, { reason, message, provesUninstall }: AdminApiError): Promise<boolean> {
  const failure =
    !provesUninstall && (reason === "unauthorized" || reason === "refused")
      ? { refreshFailedSince: row.refreshFailedSince ?? now(), refreshError: message.slice(0, 500) }
      : {};
  const { count } = await prisma().session.updateMany({
    where: unchanged(row),
    data: { refreshLeaseUntil: null, ...failure },
  });
  if (count > 0) log.warn({ shop: row.shop, reason: message }, "could not refresh the access token of a shop");
  return count > 0;
}
