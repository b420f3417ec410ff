import type { AdminPage } from "./page.ts";

/** What App Bridge asks of the admin's server on the app's behalf. */
export async function answerCall(
  { api }: AdminPage,
  name: "idToken" | "extensions" | "user" | "scopes",
): Promise<unknown> {
  const answer = await fetch(`${api}/${name}`, { method: "POST" });
  if (!answer.ok) throw new Error(`${name} answered ${answer.status}`);
  const value: unknown = await answer.json();
  return value;
}
