import { createHmac, createSign, type KeyObject } from "node:crypto";

export type Claims = Record<string, unknown>;

/** A decoded JWT, from which a test can encode a changed one. */
export interface Parts {
  header: Claims;
  payload: Claims;
}

function toClaims(part: string | undefined): Claims {
  const value: unknown = JSON.parse(Buffer.from(part ?? "", "base64url").toString());
  if (typeof value !== "object" || value === null) throw new Error("not a JWT");
  return { ...value };
}

export function takeApart(token: string): Parts {
  const [header, payload] = token.split(".");
  return { header: toClaims(header), payload: toClaims(payload) };
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function signingInput({ header, payload }: Parts): string {
  return `${encode(header)}.${encode(payload)}`;
}

/** @param secret the secret of an HMAC or the private key of an RSA signature */
export function put(parts: Parts, secret: string | KeyObject, hash: "sha256" | "sha384" | "sha512" = "sha256"): string {
  const input = signingInput(parts);
  const signature =
    typeof secret === "string"
      ? createHmac(hash, secret).update(input).digest()
      : createSign(hash).update(input).sign(secret);
  return `${input}.${signature.toString("base64url")}`;
}

/** The token with an empty signature, as `alg: none` has it. */
export function putUnsigned(parts: Parts): string {
  return `${signingInput(parts)}.`;
}
