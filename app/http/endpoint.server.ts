import { LRUCache } from "lru-cache";
import { z } from "zod";
import { knownEntityTags } from "../platform/text/entity-tag.ts";
import { Failure, type FailureCode, type Problem } from "../platform/failure.ts";
import type { Headers, SuccessResult } from "./response.server.ts";
import { BODY_LIMIT, type BodyFormat, hasBody, JSON_BODY, readBody } from "./body.server.ts";
import type { RequestContext } from "./context.ts";
import { chargeRequest, checkExhausted, joinLimitHeaders } from "./rate-limits.server.ts";
import type { Policy } from "./policy.server.ts";
import { toProblems } from "./validation-problems.ts";
import { parseQuery } from "./request-target.ts";

/** Issues contain the input, which the problem texts need. */
const ZOD_OPTIONS = { reportInput: true } as const;

const NO_BODY_ADVICE = "send the request without one";

/** Maximum characters of a query whose parsed value is cached. */
const MAX_CACHED_QUERY_LENGTH = 64;

export { noBody, none as noParameters } from "../wishlists/index.server.ts";

/** Wraps a text with an entity tag as a handler's result; a failure is returned unchanged. @param text.json null when the caller's copy is current */
export function tagged(
  text: { tag: string; json: string | null } | Failure,
): { json: string; headers: Headers } | { notModified: true; headers: Headers } | Failure {
  if (text instanceof Failure) return text;
  const headers = { ETag: text.tag, "Cache-Control": "private, no-cache", Vary: "Authorization" };
  return text.json === null ? { notModified: true, headers } : { json: text.json, headers };
}

export interface Call<Caller, Params, Query, Body> {
  caller: Caller;
  params: Params;
  query: Query;
  body: Body;
  /** the service's entity tags in `If-None-Match`; `*` stands for any */
  knownTags: string[];
  /** set for idempotent endpoints only; see `runIdempotently` */
  idempotencyKey: string | undefined;
  /** for endpoints with `streams` only: the id of the last event that the client has (server-sent events) */
  lastEventId: string | undefined;
  /** false for HEAD, which must have no effect */
  withBody: boolean;
}

/** Properties of an endpoint, apart from its schemas and handler. Most appear in the OpenAPI document. */
export interface Description {
  operationId: string;
  /** the id of the operation that the endpoint mounts under an id of its own */
  performs?: string;
  /** method of the SDK's client, such as `lists.items.add`; operations of /v1 need one */
  sdkMethod?: string;
  tag:
    | "Access"
    | "Wishlists"
    | "Lists"
    | "Sharing"
    | "Alerts"
    | "Changes"
    | "Analytics"
    | "Webhooks"
    | "Documentation"
    | "Storefront";
  summary: string;
  description?: string;
  status?: 200 | 201;
  /** codes that the handler returns; codes that follow from policy, body and parameters are added */
  failures?: readonly FailureCode[];
  /** a GET that changes data: it does not support HEAD */
  writes?: true;
  /** supports `Idempotency-Key`: the handler uses `runIdempotently` */
  idempotent?: true;
  /** responds with server-sent events and supports `Last-Event-ID` */
  streams?: true;
  /** for an operation that reads no body: what to do instead of sending one */
  bodyAdvice?: string;
  /** examples of the body by name, where those that follow from its schema are not all valid */
  bodyExamples?: Readonly<Record<string, { summary: string; value: Readonly<Record<string, string>> }>>;
  /** JSON by default */
  format?: BodyFormat;
  /** maximum bytes of the body; 16 KiB by default */
  bodyLimit?: number;
  /**
   * Compresses responses for clients that accept it. Only for endpoints whose responses contain no secret (a token, a webhook's secret, a
   * share link, a form token) next to the caller's input: the length of a compressed response reveals how similar the two are.
   * `fast` takes less time and compresses less.
   */
  compressed?: true | "fast";
  /** explains a request to the endpoint's path with an unsupported method, when more is wrong with it than the method */
  explainMethod?: (params: Record<string, string>) => Problem | undefined;
  /** returns a page for people instead of the JSON error; undefined keeps the JSON */
  failurePage?: (failure: Failure) => { document: string; type: string } | undefined;
}

interface Declaration<
  Caller,
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Data extends z.ZodType,
> extends Description {
  access: Policy<Caller, z.output<Body>>;
  params: Params;
  query: Query;
  body: Body;
  /** schema of `data`, or the media type of a response without the envelope */
  data: Data | string;
  handle: (
    call: Call<Caller, z.output<Params>, z.output<Query>, z.output<Body>>,
  ) => Promise<SuccessResult<z.input<Data>> | Failure> | SuccessResult<z.input<Data>> | Failure;
}

/** A request whose path and method match an endpoint. Nothing else has been checked. */
export interface MatchedRequest {
  request: Request;
  context: RequestContext;
  /** decoded path parameters */
  params: Record<string, string>;
  /** path parameters that could not be decoded */
  problems: Problem[];
  /** the raw query, without `?` */
  query: string;
  withBody: boolean;
  /** the rate-limit headers, set when the request is charged; every later response to it has them */
  limits: Headers;
}

/** An endpoint without its type parameters, as the resource and the OpenAPI document use it. */
export interface Endpoint extends Description {
  access: Pick<Policy<never, never>, "kind" | "scope" | "customersOnly">;
  params: z.ZodType;
  query: z.ZodType;
  body: z.ZodType;
  data: z.ZodType | string;
  respond: (incoming: MatchedRequest) => Promise<SuccessResult<unknown> | Failure>;
}

/** A body within the size limit can have thousands of problems and very long names. These limits keep the response readable. */
const MAX_PROBLEMS_SHOWN = 50;
const MAX_TEXT_SHOWN = 250;

function shorten(text: string): string {
  return text.length > MAX_TEXT_SHOWN ? `${text.slice(0, MAX_TEXT_SHOWN)}…` : text;
}

function invalid(problems: readonly Problem[]): Failure {
  const details = problems
    .slice(0, MAX_PROBLEMS_SHOWN)
    .map(({ path, problem }) => ({ path: shorten(path), problem: shorten(problem) }));
  const [first] = details;
  const message = first ? `${first.path} ${first.problem}` : "The request is not valid";
  return new Failure("invalid_request", message.endsWith("?") ? message : `${message}.`, { details });
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

function lastEventIdOf(request: Request): string | undefined {
  const given = request.headers.get("last-event-id");
  return given === null || given === "" ? undefined : given;
}

/** Returns the names of the parameters that are arrays. */
function arraysOf(query: z.ZodType): ReadonlySet<string> {
  const fields = query instanceof z.ZodObject ? Object.entries(query.shape) : [];
  const required = (field: unknown): unknown => (field instanceof z.ZodOptional ? field.unwrap() : field);
  return new Set(fields.flatMap(([name, field]) => (required(field) instanceof z.ZodArray ? [name] : [])));
}

/** Returns the names of the parameters, if the schema ignores all others. @returns undefined when it refuses them */
function onlyParametersOf(query: z.ZodType): ReadonlySet<string> | undefined {
  const ignoresOthers = query instanceof z.ZodObject && query.def.catchall === undefined;
  return ignoresOthers ? new Set(Object.keys(query.shape)) : undefined;
}

/**
 * Declares one endpoint. The steps of a request: authenticate → rate limit → parse → authorize → handle. The token exchange parses
 * first, because its credentials are in the body, unless the address has used up its failed authentications. A guest of a store is
 * named by the body and has a further limit after parsing.
 */
export function endpoint<
  Caller,
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Data extends z.ZodType,
>(declaration: Declaration<Caller, Params, Query, Body, Data>): Endpoint {
  const { access, params, query, body, format = JSON_BODY, bodyLimit = BODY_LIMIT } = declaration;
  const { bodyAdvice = NO_BODY_ADVICE, idempotent, streams, handle } = declaration;
  const readsBody = !(body instanceof z.ZodUndefined);
  // Callers send the same few queries again and again.
  const knownQueries = new LRUCache<string, { data: z.output<Query> }>({ max: 256 });

  const repeatable = arraysOf(query);
  const known = onlyParametersOf(query);

  function readQuery(text: string): { data: z.output<Query> } | Problem[] {
    const cached = knownQueries.get(text);
    if (cached) return cached;
    const given = parseQuery(text, repeatable, known);
    const parsed = query.safeParse(given.values, ZOD_OPTIONS);
    if (!parsed.success) return [...given.problems, ...toProblems("query", parsed.error, query)];
    if (given.problems.length > 0) return given.problems;
    const { data } = parsed;
    if (text.length <= MAX_CACHED_QUERY_LENGTH) knownQueries.set(text, { data });
    return { data };
  }

  async function parse({ request, params: givenParams, problems: pathProblems, query: queryText }: MatchedRequest) {
    const problems = [...pathProblems];
    const parsedParams = params.safeParse(givenParams, ZOD_OPTIONS);
    if (!parsedParams.success && pathProblems.length === 0)
      problems.push(...toProblems("path", parsedParams.error, params));
    const parsedQuery = readQuery(queryText);
    if (Array.isArray(parsedQuery)) problems.push(...parsedQuery);

    const idempotencyKey = idempotent ? (request.headers.get("idempotency-key") ?? undefined) : undefined;
    if (idempotencyKey !== undefined && !IDEMPOTENCY_KEY.test(idempotencyKey))
      problems.push({ path: "header.Idempotency-Key", problem: "must be 1 to 255 visible ASCII characters" });

    let givenBody: unknown;
    if (!readsBody) {
      if (await hasBody(request)) problems.push({ path: "body", problem: `is not read here: ${bodyAdvice}` });
    } else {
      const read = await readBody(request, { format, limit: bodyLimit });
      if (read instanceof Failure) return problems.length > 0 ? invalid(problems) : read;
      givenBody = read.value;
    }
    const parsedBody = body.safeParse(givenBody, ZOD_OPTIONS);
    if (!parsedBody.success) problems.push(...toProblems("body", parsedBody.error, body));

    if (problems.length > 0 || !parsedParams.success || Array.isArray(parsedQuery) || !parsedBody.success)
      return invalid(problems);
    return { params: parsedParams.data, query: parsedQuery.data, body: parsedBody.data, idempotencyKey };
  }

  async function respond(incoming: MatchedRequest): Promise<SuccessResult<unknown> | Failure> {
    const { request, context, withBody } = incoming;
    // Memoized, because a body can be read only once.
    let parsing: ReturnType<typeof parse> | undefined;
    const parseMemoized = () => (parsing ??= parse(incoming));

    const exceeded = access.precheck && (await checkExhausted(access.precheck(context)));
    if (exceeded) {
      Object.assign(incoming.limits, exceeded.headers);
      return exceeded.refusal;
    }
    const { caller: authenticated, charges } = await access.authenticate(request, context, parseMemoized);
    const limited = charges.length === 0 ? undefined : await chargeRequest(charges);
    Object.assign(incoming.limits, limited?.headers);
    if (limited?.refusal) return limited.refusal;
    if (authenticated instanceof Failure) return authenticated;

    const parsed = await parseMemoized();
    if (parsed instanceof Failure) return parsed;
    const identified = access.identify?.(authenticated, parsed.body);
    const { caller, charges: further } = identified ?? { caller: authenticated, charges: [] };
    if (further.length > 0) {
      const { refusal, headers } = await chargeRequest(further);
      Object.assign(incoming.limits, joinLimitHeaders(limited?.headers, headers));
      if (refusal) return refusal;
    }
    const denied = access.authorize(caller, parsed.params);
    if (denied) return denied;

    const result = await handle({
      ...parsed,
      caller,
      lastEventId: streams ? lastEventIdOf(request) : undefined,
      knownTags: knownEntityTags(request.headers.get("if-none-match")),
      withBody,
    });
    const charge = result instanceof Failure ? access.refusalCharge?.(result, context) : undefined;
    if (charge) await chargeRequest([charge]);
    return result;
  }

  return { ...declaration, respond };
}
