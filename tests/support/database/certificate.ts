import { generateKeyPairSync, sign } from "node:crypto";

/** Encodes a value of ASN.1 in DER. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const identifier = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
const time = (text: string): Buffer => der(0x17, Buffer.from(text));

/** Creates a self-signed certificate (RFC 5280) for 127.0.0.1 alone, valid until 2049, with its key. Node.js can't create certificates itself. */
export function createCertificate(): { certificate: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaWithSha256 = sequence(identifier("2a8648ce3d040302"));
  const name = sequence(der(0x31, sequence(identifier("550403"), der(0x0c, Buffer.from("wishlist tests")))));
  const address = sequence(der(0x87, Buffer.from([127, 0, 0, 1])));
  const subjectAltName = sequence(identifier("551d11"), der(0x04, address));
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time("200101000000Z"), time("491231235959Z")),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(subjectAltName)),
  );
  const signature = der(0x03, Buffer.from([0]), sign("sha256", content, privateKey));
  const lines = sequence(content, ecdsaWithSha256, signature).toString("base64").replace(/.{64}/g, "$&\n");
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}
