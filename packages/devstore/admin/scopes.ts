import { z } from "zod";
import { impliedScopes } from "../foundation/scopes.ts";
import { grantScopes, revokeScopes } from "../actions/scopes.ts";
import type { Store } from "../store/store.ts";
import type { StoreEvents } from "../webhooks/events.ts";

const bodySchema = z.object({ scopes: z.array(z.string()).min(1) });

/** Returns the app's scopes in App Bridge's shape (`ScopesDetail`). */
export function scopesDetail({ installation, options }: Store) {
  return { granted: installation.scopes, required: options.scopes, optional: options.optionalScopes };
}

/** `POST …/bridge/scopes/{grant|revoke}`: grants or revokes optional scopes; required scopes cannot be revoked. */
export async function decideScopes(
  store: Store,
  events: StoreEvents,
  decision: string,
  request: Request,
): Promise<Response> {
  const body = bodySchema.safeParse(await request.json().catch(() => undefined));
  if (!body.success) return Response.json({ error: "scopes are missing" }, { status: 400 });
  const { scopes } = body.data;
  const { optionalScopes } = store.options;
  const others = scopes.filter((scope) => !optionalScopes.includes(scope));
  if (others.length > 0) {
    return Response.json({ error: `${others.join(", ")} is not an optional scope of the app` }, { status: 400 });
  }
  const { scopes: granted } = store.installation;
  if (
    decision === "revoke" &&
    impliedScopes(
      granted.filter((scope) => !scopes.includes(scope)),
      scopes,
    ).length > 0
  ) {
    return Response.json({ error: "Already granted implied scopes cannot be revoked." }, { status: 400 });
  }
  if (decision === "revoke") revokeScopes(store, events, scopes);
  else if (decision === "grant") grantScopes(store, events, scopes);
  else return new Response("Not Found", { status: 404 });
  return Response.json(scopesDetail(store), { headers: { "cache-control": "no-store" } });
}
