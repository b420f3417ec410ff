import { createHmac, timingSafeEqual } from "node:crypto";

/** Choice of the app's client secret with which Shopify has signed a request. Shopify's library knows one secret at a time. */

type Secrets = readonly [string, ...string[]];

/** Returns the first secret that has made the signature, or the first of all, with which the library then refuses the request. */
function signer(secrets: Secrets, signed: string | Uint8Array, signature: Buffer): string {
  const found = secrets.find((secret) => {
    const expected = createHmac("sha256", secret).update(signed).digest();
    return expected.length === signature.length && timingSafeEqual(expected, signature);
  });
  return found ?? secrets[0];
}

/** Tells whether one of the secrets has signed a body, as `X-Shopify-Hmac-Sha256` says in base64. */
export function isSignedBody(body: Uint8Array, signature: string, secrets: Secrets): boolean {
  const given = Buffer.from(signature, "base64");
  return secrets.some((secret) => {
    const expected = createHmac("sha256", secret).update(body).digest();
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
}

/** Returns the session token that App Bridge sends, in a header or in the URL of a page that is opened; read as Shopify's library does, also without `Bearer`. */
export function sessionTokenOf(request: Request): string | undefined {
  const inHeader = request.headers.get("authorization")?.replace("Bearer ", "");
  if (inHeader !== undefined && inHeader !== "") return inHeader;
  return new URL(request.url).searchParams.get("id_token") ?? undefined;
}

/** Returns the secret that has signed a request's session token. */
export function sessionTokenSecret(request: Request, secrets: Secrets): string {
  if (secrets.length === 1) return secrets[0];
  const [header = "", payload = "", signature = ""] = (sessionTokenOf(request) ?? "").split(".");
  return signer(secrets, `${header}.${payload}`, Buffer.from(signature, "base64url"));
}

/** Returns the secret of a webhook. Leaves the body to the library. */
export async function webhookSecret(request: Request, secrets: Secrets): Promise<string> {
  if (secrets.length === 1) return secrets[0];
  const body = new Uint8Array(await request.clone().arrayBuffer());
  return signer(secrets, body, Buffer.from(request.headers.get("x-shopify-hmac-sha256") ?? "", "base64"));
}
