import type { ActionFunctionArgs } from "@remix-run/node";
import type { Prisma } from "@prisma/client";
import { z } from "zod";
import { isBusy } from "../../platform/database/errors.server.ts";
import { Failure } from "../../platform/failure.ts";
import { FORM_BODY, FORM_BODY_LIMIT, readBody } from "../body.server.ts";
import { runIdempotently } from "../idempotency.server.ts";
import { statusOf } from "../failure-registry.ts";
import { formFailure, type FormResult } from "./form-result.ts";
import { adminRequest, type AdminRequest } from "./loader.server.ts";

/** A submitted form's request. */
export interface FormSubmission extends AdminRequest {
  /**
   * Runs `work` in one transaction. When the same form is submitted again with the same idempotency key, returns the first outcome instead.
   * @param outcome schema of the stored outcome
   */
  runIdempotently: <Outcome extends z.ZodType>(
    outcome: Outcome,
    work: (tx: Prisma.TransactionClient) => Promise<z.input<Outcome> | Failure>,
  ) => Promise<z.output<Outcome> | Failure>;
}

interface Form<Data> {
  handle: (request: AdminRequest, intent: string, fields: Record<string, unknown>) => Promise<FormResult<Data>>;
}

type Fields = Record<string, unknown>;

const BUSY = "Too many changes to this shop are in progress, and nothing was saved. Try again in a moment.";

const idempotencyKeySchema = z.string().regex(/^\w{22}$/);

/** Parses a form's fields. @returns the schema's first message for each field, as Polaris' fields take it in `error` */
function parseFields<Schema extends z.ZodType>(
  schema: Schema,
  fields: Fields,
): { data: z.output<Schema> } | { errors: Record<string, string>; problem: string | undefined } {
  const parsed = schema.safeParse(fields);
  if (parsed.success) return { data: parsed.data };
  const errors: Record<string, string> = {};
  let problem: string | undefined;
  for (const { path, message } of parsed.error.issues) {
    const [field] = path;
    if (typeof field === "string") errors[field] ??= message;
    else problem ??= message;
  }
  return { errors, problem };
}

/** Returns whether a form that failed can succeed in a moment as it is. */
function isTemporary({ code }: Failure): boolean {
  return [429, 503].includes(statusOf(code));
}

/** @param key undefined runs `work` unconditionally */
function submissionOf(request: AdminRequest, fields: Fields, key: string | undefined): FormSubmission {
  return {
    ...request,
    async runIdempotently(outcome, work) {
      const caller = { shopId: request.shop.id, client: { id: "admin" }, owner: undefined };
      const call = { caller, params: request.params, query: {}, body: fields, idempotencyKey: key };
      const result = await runIdempotently(call, "admin form", work);
      if (result instanceof Failure) return result;
      return outcome.parse("json" in result ? JSON.parse(result.json) : undefined);
    },
  };
}

/**
 * Defines a form of a page.
 * @param schema of the fields, from the feature
 * @param act returns what the page shows; a Failure's message is shown unchanged
 */
export function form<Schema extends z.ZodType, Data>(
  schema: Schema,
  act: (submission: FormSubmission, fields: z.output<Schema>) => Promise<Data | Failure>,
): Form<Data> {
  return {
    async handle(request, intent, { idempotencyKey, ...fields }) {
      const parsed = parseFields(schema, fields);
      if ("errors" in parsed) return { ...formFailure(parsed.problem), errors: parsed.errors };
      const { data: key } = idempotencyKeySchema.safeParse(idempotencyKey);
      // All forms of a page share one key until it reloads, so the intent keeps them apart.
      const submission = submissionOf(request, fields, key && `${intent} ${key}`);
      const outcome = await act(submission, parsed.data).catch((error: unknown) => {
        // Nothing was saved. The page keeps the typed values, so the merchant can submit again.
        if (isBusy(error)) return new Failure("service_unavailable", BUSY);
        throw error;
      });
      if (outcome instanceof Failure) return formFailure(outcome.message, isTemporary(outcome));
      return { ok: true, data: outcome };
    },
  };
}

/** The schema of a form that is only a button. */
export const emptyForm = z.strictObject({});

type DataOf<F> = F extends Form<infer Data> ? Data : never;

/** Creates a page's `action` for one or several forms, which the field `intent` tells apart. */
export function adminAction<Forms extends Record<string, Form<unknown>>>(
  forms: Record<string, Form<DataOf<Forms[keyof Forms]>>> & Forms,
) {
  return async (args: ActionFunctionArgs): Promise<FormResult<DataOf<Forms[keyof Forms]>>> => {
    const request = await adminRequest(args);
    const body = await readBody(args.request, { format: FORM_BODY, limit: FORM_BODY_LIMIT });
    if (body instanceof Failure) return formFailure(body.message);
    const { intent, ...fields } = z.record(z.string(), z.unknown()).parse(body.value);
    const name = typeof intent === "string" ? intent : "";
    const chosen = Object.hasOwn(forms, name) ? forms[name] : undefined;
    if (!chosen) throw new Response("This page has no form with this intent.", { status: 400 });
    return chosen.handle(request, name, fields);
  };
}
