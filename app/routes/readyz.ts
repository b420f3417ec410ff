import { isStopping, checkDatabase } from "../platform/readiness.server.ts";

/** Should requests be sent here? Not while the database is out of reach, nor once the process has been told to end. */
export async function loader(): Promise<Response> {
  const checks = { database: await checkDatabase(), stopping: isStopping() };
  const ready = checks.database && !checks.stopping;
  return Response.json({ ready, checks }, { status: ready ? 200 : 503, headers: { "Cache-Control": "no-store" } });
}
