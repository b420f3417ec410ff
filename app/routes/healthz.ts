/** Is the process alive? Touches nothing, so that a database that is away does not get processes restarted. */
export function loader(): Response {
  return new Response("ok\n", {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  });
}
