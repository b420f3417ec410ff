import { z } from "zod";
import type { Store } from "../store/store.ts";
import type { Hooks } from "../webhooks/hooks.ts";

const bodySchema = z.object({ scopes: z.array(z.string()).min(1) });

/** The scopes of the app in this shop, in App Bridge's shape (`ScopesDetail`). */
export function scopesDetail({ installation, options }: Store) {
  return { granted: installation.scopes, required: options.scopes, optional: options.optionalScopes };
}

function change(store: Store, hooks: Hooks, scopes: string[]): void {
  const previous = store.installation.scopes;
  store.installation.scopes = scopes;
  store.journal.add({ kind: "install", what: `scopes: ${scopes.join(",")}` });
  hooks.scopesUpdated(previous);
}

/** Takes optional scopes from the app. Required ones stay as long as the app is installed. */
export function revokeScopes(store: Store, hooks: Hooks, scopes: readonly string[]): void {
  const kept = store.installation.scopes.filter((scope) => !scopes.includes(scope));
  if (kept.length < store.installation.scopes.length) change(store, hooks, kept);
}

/** `POST …/bridge/scopes/{grant|revoke}`: what the merchant decided, or the app gives back. */
export async function decideScopes(store: Store, hooks: Hooks, decision: string, request: Request): Promise<Response> {
  const body = bodySchema.safeParse(await request.json().catch(() => undefined));
  if (!body.success) return Response.json({ error: "scopes are missing" }, { status: 400 });
  const { scopes } = body.data;
  const { optionalScopes } = store.options;
  const others = scopes.filter((scope) => !optionalScopes.includes(scope));
  if (others.length > 0) {
    return Response.json({ error: `${others.join(", ")} is not an optional scope of the app` }, { status: 400 });
  }
  if (decision === "revoke") revokeScopes(store, hooks, scopes);
  else if (decision === "grant") {
    const added = scopes.filter((scope) => !store.installation.scopes.includes(scope));
    if (added.length > 0) change(store, hooks, [...store.installation.scopes, ...added]);
  } else return new Response("Not Found", { status: 404 });
  return Response.json(scopesDetail(store), { headers: { "cache-control": "no-store" } });
}
