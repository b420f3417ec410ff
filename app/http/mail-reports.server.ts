import { mailReportsBody, readMailReport, recordMailReport, type MailReport } from "../email/index.server.ts";
import { secrets } from "../platform/process/env.server.ts";
import { Failure } from "../platform/failure.ts";
import { JSON_BODY, LIST_BODY_LIMIT, payloadTooLarge, readBody, readBytes } from "./body.server.ts";
import type { RequestContext } from "./context.ts";
import { hasOperatorToken } from "./operator-token.server.ts";
import { failureResponse, successResponse } from "./response.server.ts";
import { notFoundResponse, type Resource } from "./surface.server.ts";
import { toProblems } from "./validation-problems.ts";

const ALLOW = "POST";

/** Reads the reports of a body: JSON, or a whole email as a mail server sends it to the sender. @returns none for an email that is no report */
async function readReports(request: Request): Promise<readonly MailReport[] | Failure> {
  if (/^application\/json\b/i.test(request.headers.get("content-type") ?? "")) {
    const read = await readBody(request, { format: JSON_BODY, limit: LIST_BODY_LIMIT });
    if (read instanceof Failure) return read;
    const parsed = mailReportsBody.safeParse(read.value, { reportInput: true });
    if (parsed.success) return parsed.data.reports;
    const details = toProblems("body", parsed.error, mailReportsBody);
    const [{ path, problem } = { path: "body", problem: "is not valid" }] = details;
    return new Failure("invalid_request", `${path} ${problem}.`, { details });
  }
  const bytes = await readBytes(request, LIST_BODY_LIMIT).catch(() => new Uint8Array());
  if (!bytes) return payloadTooLarge(LIST_BODY_LIMIT);
  if (bytes.byteLength === 0) return new Failure("invalid_request", "Send a report as the body.");
  const report = readMailReport(Buffer.from(bytes).toString());
  return report ? [report] : [];
}

async function receive(request: Request, token: string, context: RequestContext): Promise<object | Failure> {
  if (!(await hasOperatorToken(request, token, context)))
    return new Failure("invalid_token", "Send MAIL_REPORTS_TOKEN as `Authorization: Bearer <token>`.");
  const reports = await readReports(request);
  if (reports instanceof Failure) return reports;
  const outcomes = [];
  for (const report of reports) outcomes.push(await recordMailReport(report));
  return { outcomes: reports.length === 0 ? ["unknown"] : outcomes };
}

/** Creates the resource to which the operator's mail server or provider posts what came back. Without MAIL_REPORTS_TOKEN there is none at its path. */
export function mailReports(path: string): Resource {
  return {
    path,
    bodyLimit: LIST_BODY_LIMIT,
    async respond(request, context) {
      const { requestId, logged } = context;
      const { mailReportsToken: token } = secrets();
      if (token === undefined) return notFoundResponse(context, request.method !== "HEAD");
      const outcome =
        request.method === "POST"
          ? await receive(request, token, context)
          : new Failure("method_not_allowed", `${path} supports ${ALLOW}.`);
      const frame = { requestId, withBody: request.method !== "HEAD", cors: "same-origin" } as const;
      if (!(outcome instanceof Failure))
        return successResponse({ data: outcome }, { ...frame, status: 200, headers: {} });
      logged.code = outcome.code;
      const headers = outcome.code === "method_not_allowed" ? { Allow: ALLOW } : {};
      // Closes the connection, so that the rest of the body is not received.
      return failureResponse(outcome, { ...frame, headers: { ...headers, Connection: "close" } });
    },
  };
}
