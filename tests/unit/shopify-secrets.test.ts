import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { sessionTokenSecret } from "../../app/shopify-secrets.server.ts";

function sessionToken(secret: string): string {
  const signed = `${Buffer.from('{"alg":"HS256"}').toString("base64url")}.${Buffer.from("{}").toString("base64url")}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

test.each(["new", "old"])("a session token in a header is verified with the secret that signed it: %s", (secret) => {
  const headers = { authorization: `Bearer ${sessionToken(secret)}` };
  expect(sessionTokenSecret(new Request("https://app.test/app", { headers }), ["new", "old"])).toBe(secret);
});

test.each(["new", "old"])("a session token in the URL is verified with the secret that signed it: %s", (secret) => {
  const url = `https://app.test/app?id_token=${sessionToken(secret)}`;
  expect(sessionTokenSecret(new Request(url), ["new", "old"])).toBe(secret);
});

test.each(["", "a.b.c", sessionToken("other")])("a forged session token is left to the first secret: %j", (token) => {
  const headers = { authorization: `Bearer ${token}` };
  expect(sessionTokenSecret(new Request("https://app.test/app", { headers }), ["new", "old"])).toBe("new");
});
