import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { now } from "../../../app/platform/clock.server.ts";
import type { Faults } from "../store/faults.ts";
import type { Klaviyo, KlaviyoScope } from "../store/klaviyo.ts";
import type { RateLimits } from "./rate-limits.ts";
import { bulkSchema, eventSchema, type EventData, type ProfileData } from "./schemas.ts";

export const KLAVIYO_HOST = "a.klaviyo.com";
const CONTENT_TYPE = "application/vnd.api+json";
const MAXIMUM_BYTES = 5_000_000;

/** A refusal, in the form of JSON:API. */
class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly pointer: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, code: string, detail: string, extra: { pointer?: string; retryAfter?: number } = {}) {
    super(detail);
    this.status = status;
    this.code = code;
    this.pointer = extra.pointer;
    this.headers = extra.retryAfter === undefined ? {} : { "retry-after": String(extra.retryAfter) };
  }
  response(): Response {
    const { status, code, message: detail, pointer, headers } = this;
    const source = pointer === undefined ? {} : { source: { pointer } };
    const body = { errors: [{ id: randomUUID(), status, code, title: code.replaceAll("_", " "), detail, ...source }] };
    return new Response(JSON.stringify(body), { status, headers: { "content-type": CONTENT_TYPE, ...headers } });
  }
}

/** @throws Refusal */
function parse<Output>(schema: z.ZodType<Output>, body: unknown): Output {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Refusal(400, "invalid", issue?.message ?? "Invalid input.", {
    pointer: `/${(issue?.path ?? []).map(String).join("/")}`,
  });
}

function saveProfile(klaviyo: Klaviyo, { id, attributes }: ProfileData) {
  const { email, external_id: externalId, ...others } = attributes;
  return klaviyo.saveProfile(
    { id: id ?? undefined, email: email ?? undefined, externalId: externalId ?? undefined },
    others,
  );
}

function record(klaviyo: Klaviyo, given: ProfileData, event: EventData, isBackfill: boolean): void {
  const { metric, time, unique_id: uniqueId, value, value_currency: currency, properties } = event;
  // Klaviyo truncates the time to the second, which is also the unique id of an event without one.
  const second = Math.floor((time ? new Date(time) : now()).getTime() / 1_000);
  klaviyo.recordEvent({
    profile: saveProfile(klaviyo, given),
    metric: metric.data.attributes.name,
    time: new Date(second * 1_000),
    uniqueId: uniqueId ?? String(second),
    value: value ?? undefined,
    currency: currency ?? undefined,
    isBackfill: isBackfill || event.backfill === true,
    properties,
  });
}

function createEvent(klaviyo: Klaviyo, body: unknown): Response {
  const { profile, ...event } = parse(eventSchema, body).data.attributes;
  record(klaviyo, profile.data, event, false);
  return new Response(null, { status: 202 });
}

/** Records all events of a request, or none. */
function createEvents(klaviyo: Klaviyo, body: unknown): Response {
  const entries = parse(bulkSchema, body).data.attributes["events-bulk-create"].data;
  const all = entries.flatMap(({ attributes: { profile, events, backfill } }) =>
    events.data.map(({ attributes }) => ({ profile: profile.data, event: attributes, isBackfill: backfill === true })),
  );
  const repeated = new Set<string>();
  for (const { profile, event } of all) {
    const { email, external_id: externalId } = profile.attributes;
    const key = JSON.stringify([profile.id, email, externalId, event.metric.data.attributes.name, event.unique_id]);
    if (event.unique_id && repeated.has(key)) {
      throw new Refusal(400, "invalid", `The unique_id ${event.unique_id} is repeated for a profile and metric.`);
    }
    repeated.add(key);
  }
  for (const { profile, event, isBackfill } of all) record(klaviyo, profile, event, isBackfill);
  return new Response(null, { status: 202 });
}

function listAccounts({ organization }: Klaviyo): Response {
  const address = { address1: null, address2: null, city: null, region: null, country: null, zip: null };
  const self = `https://${KLAVIYO_HOST}/api/accounts`;
  const body = {
    data: [
      {
        type: "account",
        id: "DVSTR1",
        attributes: {
          test_account: true,
          contact_information: {
            default_sender_name: organization,
            default_sender_email: "hello@larkfell.example",
            website_url: null,
            organization_name: organization,
            street_address: address,
          },
          industry: null,
          timezone: "Europe/Berlin",
          preferred_currency: "EUR",
          public_api_key: "DVSTR1",
          locale: "en-US",
        },
        links: { self: `${self}/DVSTR1` },
      },
    ],
    links: { self },
  };
  return new Response(JSON.stringify(body), { headers: { "content-type": CONTENT_TYPE } });
}

interface Operation {
  scope: KlaviyoScope;
  handle: (klaviyo: Klaviyo, body: unknown) => Response;
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  "GET /api/accounts": { scope: "accounts:read", handle: listAccounts },
  "POST /api/events": { scope: "events:write", handle: createEvent },
  "POST /api/event-bulk-create-jobs": { scope: "events:write", handle: createEvents },
};

/** @throws Refusal */
function authenticate({ key, scopes }: Klaviyo, headers: Headers, scope: KlaviyoScope): void {
  const authorization = headers.get("authorization");
  if (authorization === null)
    throw new Refusal(401, "not_authenticated", "Authentication credentials were not provided.");
  if (authorization !== `Klaviyo-API-Key ${key}`) {
    throw new Refusal(401, "authentication_failed", "Incorrect authentication credentials.");
  }
  if (!scopes.has(scope)) throw new Refusal(403, "permission_denied", `The API key lacks the scope ${scope}.`);
}

/** @throws Refusal */
function checkHeaders(headers: Headers, hasBody: boolean): void {
  if (!/^\d{4}-\d{2}-\d{2}(\.[a-z]+)?$/.test(headers.get("revision") ?? "")) {
    throw new Refusal(400, "invalid", "The header revision is missing or is no date.");
  }
  if (hasBody && headers.get("content-type")?.split(";")[0] !== CONTENT_TYPE) {
    throw new Refusal(415, "unsupported_media_type", `The content type must be ${CONTENT_TYPE}.`);
  }
}

/** @throws Refusal */
function parseJson(text: string): unknown {
  if (Buffer.byteLength(text) > MAXIMUM_BYTES) throw new Refusal(413, "too_large", "The payload is above 5 MB.");
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, "parse_error", "The body is no JSON.");
  }
}

/** The parts of a marketing account's API that the app uses, as strict as its published description. */
export async function klaviyoApi(
  klaviyo: Klaviyo,
  faults: Faults,
  limits: RateLimits,
  request: Request,
): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const operation = `${request.method} ${pathname}`;
  const hasBody = request.method === "POST";
  const text = hasBody ? await request.text() : "";
  let body: unknown;
  let response: Response;
  try {
    const fault = await faults.encounter("klaviyo", { operation, variables: {} });
    if (typeof fault === "object" && "status" in fault)
      throw new Refusal(fault.status, "error", "A fault of the test.");
    const known = OPERATIONS[operation];
    if (known === undefined) throw new Refusal(404, "not_found", "The resource does not exist.");
    if (search !== "") throw new Refusal(400, "invalid", "The query has unknown parameters.");
    authenticate(klaviyo, request.headers, known.scope);
    const wait = klaviyo.isLimited ? limits.take(operation) : undefined;
    if (wait !== undefined) throw new Refusal(429, "throttled", "The rate limit is reached.", { retryAfter: wait });
    checkHeaders(request.headers, hasBody);
    body = hasBody ? parseJson(text) : undefined;
    response = known.handle(klaviyo, body);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    response = error.response();
  }
  klaviyo.recordRequest({ method: request.method, path: pathname, body, status: response.status });
  return response;
}
