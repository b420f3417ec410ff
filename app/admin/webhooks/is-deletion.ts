/** Returns whether a form deleted the page's webhook. Its page can't be loaded again, so the router must not revalidate. */
export function isDeletion(actionResult: unknown): boolean {
  if (typeof actionResult !== "object" || actionResult === null || !("data" in actionResult)) return false;
  const { data } = actionResult;
  return typeof data === "object" && data !== null && "deleted" in data;
}
