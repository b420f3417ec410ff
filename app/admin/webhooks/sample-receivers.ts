/** A program that receives webhooks and verifies their signatures. `tests/process/receivers.test.ts` runs each one. */
export interface SampleReceiver {
  language: string;
  file: string;
  code: string;
}

const TYPESCRIPT = String.raw`// WEBHOOK_SECRET=whsec_… node receiver.ts
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";

const SECRET = process.env.WEBHOOK_SECRET ?? "";
if (!SECRET.startsWith("whsec_")) throw new Error("Set WEBHOOK_SECRET to the webhook's secret.");
const KEY = Buffer.from(SECRET.slice("whsec_".length), "base64");
const TOLERANCE = 5 * 60; // seconds

// Verify the raw body before you parse it: the signature covers its exact bytes.
function isAuthentic(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const id = String(headers["webhook-id"]);
  const timestamp = String(headers["webhook-timestamp"]);
  if (!/^[0-9]{1,12}$/.test(timestamp)) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE) return false;
  const expected = createHmac("sha256", KEY).update(id + "." + timestamp + ".").update(body).digest();
  // During a secret rotation there are two signatures. One valid signature is enough.
  return String(headers["webhook-signature"]).split(" ").some((entry) => {
    const [version, signature = ""] = entry.split(",");
    const given = Buffer.from(signature, "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  if (!isAuthentic(request.headers, body)) {
    response.writeHead(401).end();
    return;
  }
  response.writeHead(204).end(); // respond first, then process
  const { event, data } = JSON.parse(body.toString());
  console.log(request.headers["webhook-id"], event, data);
}).listen(Number(process.env.PORT ?? 4000));
`;

const PYTHON = String.raw`# WEBHOOK_SECRET=whsec_… python3 receiver.py
import base64
import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"]
if not SECRET.startswith("whsec_"):
    raise SystemExit("Set WEBHOOK_SECRET to the webhook's secret.")
KEY = base64.b64decode(SECRET[len("whsec_"):])
TOLERANCE = 5 * 60  # seconds


# Verify the raw body before you parse it: the signature covers its exact bytes.
def is_authentic(headers, body):
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", timestamp):
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE:
        return False
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest())
    # During a secret rotation there are two signatures. One valid signature is enough.
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected, one.encode()) for one in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        authentic = is_authentic(self.headers, body)
        self.send_response(204 if authentic else 401)
        self.end_headers()  # respond first, then process
        if authentic:
            message = json.loads(body)
            print(self.headers["webhook-id"], message["event"], message["data"], flush=True)


ThreadingHTTPServer(("", int(os.environ.get("PORT", 4000))), Receiver).serve_forever()
`;

const RUBY = String.raw`# WEBHOOK_SECRET=whsec_… rackup --port 4000 config.ru
require "json"
require "openssl"

SECRET = ENV.fetch("WEBHOOK_SECRET")
abort "Set WEBHOOK_SECRET to the webhook's secret." unless SECRET.start_with?("whsec_")
KEY = SECRET.delete_prefix("whsec_").unpack1("m0")
TOLERANCE = 5 * 60 # seconds

# Verify the raw body before you parse it: the signature covers its exact bytes.
def authentic?(id, timestamp, signatures, body)
  return false unless timestamp.match?(/\A[0-9]{1,12}\z/)
  return false if (Time.now.to_i - timestamp.to_i).abs > TOLERANCE

  digest = OpenSSL::HMAC.digest("SHA256", KEY, "#{id}.#{timestamp}.".b + body.b)
  expected = "v1,#{[digest].pack("m0")}"
  # During a secret rotation there are two signatures. One valid signature is enough.
  signatures.split(" ").any? { |given| OpenSSL.secure_compare(expected, given) }
end

# A Rack application, which Rails and Sinatra can mount.
run(lambda do |env|
  body = env["rack.input"].read
  id, timestamp, signatures = %w[ID TIMESTAMP SIGNATURE].map { |name| env["HTTP_WEBHOOK_#{name}"].to_s }
  next [401, {}, []] unless authentic?(id, timestamp, signatures, body)

  message = JSON.parse(body)
  puts [id, message["event"], message["data"]].inspect # respond quickly: leave longer work to a job
  [204, {}, []]
end)
`;

export const SAMPLE_RECEIVERS: readonly SampleReceiver[] = [
  { language: "TypeScript", file: "receiver.ts", code: TYPESCRIPT },
  { language: "Python", file: "receiver.py", code: PYTHON },
  { language: "Ruby", file: "config.ru", code: RUBY },
];
