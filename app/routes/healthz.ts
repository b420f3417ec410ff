/** Responds while the process is alive. It does not use the database, so that an unreachable database does not restart processes. */
export function loader(): Response {
  return new Response("ok\n", {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  });
}
