/** Is it the answer to a form that deleted what the page shows? There is nothing to load anew then; the page is left. */
export function isDeletion(actionResult: unknown): boolean {
  if (typeof actionResult !== "object" || actionResult === null || !("data" in actionResult)) return false;
  const { data } = actionResult;
  return typeof data === "object" && data !== null && "deleted" in data;
}
