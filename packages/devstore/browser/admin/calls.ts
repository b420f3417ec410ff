import type { AdminPage } from "./page.ts";

/** Sends a call of App Bridge to the admin's server. */
export async function sendCall(
  { api }: AdminPage,
  name: "idToken" | "extensions" | "user" | "scopes",
): Promise<unknown> {
  const response = await fetch(`${api}/${name}`, { method: "POST" });
  if (!response.ok) throw new Error(`${name} failed with ${response.status}`);
  const value: unknown = await response.json();
  return value;
}
