// @peculiar/x509 needs this polyfill before it is loaded.
import "reflect-metadata";
import { KeyObject } from "node:crypto";
import { BasicConstraintsExtension, SubjectAlternativeNameExtension, X509CertificateGenerator } from "@peculiar/x509";

/** A key and its self-signed certificate, in PEM. */
export interface Certificate {
  key: string;
  cert: string;
}

/**
 * Creates a key and a self-signed certificate, because a key in the repository is no secret.
 * @param names host names; `*.` stands for one label
 */
export async function createCertificate(names: readonly string[]): Promise<Certificate> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: "CN=devstore",
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new SubjectAlternativeNameExtension(names.map((value) => ({ type: "dns" as const, value }))),
    ],
  });
  const key = KeyObject.from(keys.privateKey).export({ type: "pkcs8", format: "pem" }).toString();
  return { key, cert: certificate.toString("pem") };
}
