import { isStopping, checkDatabase } from "../platform/process/readiness.server.ts";

/** Tells whether to send requests to this process: not while the database is unreachable, nor during the shutdown. */
export async function loader(): Promise<Response> {
  const checks = { database: await checkDatabase(), stopping: isStopping() };
  const ready = checks.database && !checks.stopping;
  return Response.json({ ready, checks }, { status: ready ? 200 : 503, headers: { "Cache-Control": "no-store" } });
}
