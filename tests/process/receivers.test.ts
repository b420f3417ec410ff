import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, type TestOptions } from "vitest";
import { SAMPLE_RECEIVERS } from "../../app/admin/webhooks/sample-receivers.ts";
import { newSecret, signatureHeader, signingKey } from "../../app/webhooks/delivery/signature.server.ts";
import { needs, pathOf } from "../support/programs/needs.ts";
import { python, ruby } from "../support/programs/programs.ts";
import { until } from "../support/until.ts";
import { freePort } from "../support/http/ports.ts";

const SECRET = newSecret();
const OTHER = newSecret();
const ID = "msg_0641c9f0a2a10c3b7d52e86f4190ab37";
/** Has a multi-byte character, and spaces that parsing would drop. */
const BODY = `{"event":"wishlist.item.added",  "data":{"customerId":"Zoë"}}`;

/** A minimal Rack server, because Ruby has no HTTP server: passes headers and body to the application. */
const RACK = String.raw`
require "socket"
require "stringio"
def run(app) = $app = app
$stdout.sync = true
load ARGV.fetch(0)
server = TCPServer.new("127.0.0.1", Integer(ENV.fetch("PORT")))
loop do
  client = server.accept
  next client.close unless client.gets
  env = {}
  while (line = client.gets.to_s.chomp) != ""
    name, value = line.split(": ", 2)
    env["HTTP_#{name.upcase.tr("-", "_")}"] = value
  end
  env["rack.input"] = StringIO.new(client.read(env["HTTP_CONTENT_LENGTH"].to_i).to_s.b)
  status, = $app.call(env)
  client.write("HTTP/1.1 #{status} -\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
  client.close
end
`;

const NEEDS: Readonly<Record<string, TestOptions>> = { Python: needs(python), Ruby: needs(ruby) };

/** Returns the command that runs a receiver. */
async function commandOf(language: string, file: string): Promise<[command: string, args: string[]]> {
  if (language === "TypeScript") return [process.execPath, [file]];
  if (language === "Python") return [pathOf(python), [file]];
  const rack = path.join(path.dirname(file), "rack.rb");
  await writeFile(rack, RACK);
  return [pathOf(ruby), [rack, file]];
}

const seconds = (): number => Math.floor(Date.now() / 1000);

for (const { language, file, code } of SAMPLE_RECEIVERS)
  describe(`the receiver in ${language}`, NEEDS[language] ?? {}, () => {
    let folder: string;
    let url: string;
    let child: ChildProcess;
    let output = "";

    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), "receiver-"));
      await writeFile(path.join(folder, file), code);
      const port = await freePort();
      url = `http://127.0.0.1:${port}`;
      const [command, args] = await commandOf(language, path.join(folder, file));
      child = spawn(command, args, {
        env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: SECRET, RUBYOPT: "-Eutf-8" },
        stdio: ["ignore", "pipe", "inherit"],
      });
      child.stdout?.setEncoding("utf8").on("data", (text: string) => (output += text));
      await until(
        "the receiver",
        async () => (await fetch(url, { method: "POST" }).catch(() => undefined)) !== undefined,
      );
    });
    afterAll(async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
      await rm(folder, { recursive: true });
    });

    interface Message {
      signature: string;
      timestamp?: number | string;
      id?: string;
      body?: string;
    }

    async function statusOf({ signature, timestamp = seconds(), id = ID, body = BODY }: Message): Promise<number> {
      const headers = { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signature };
      return (await fetch(url, { method: "POST", body, headers: { ...headers, "content-type": "application/json" } }))
        .status;
    }

    const signed = (secrets: string[], at = seconds()): string =>
      signatureHeader(secrets.map(signingKey), ID, at, BODY);

    test("accepts a delivery signed with its secret", async () => {
      expect(await statusOf({ signature: signed([SECRET]) })).toBe(204);
      await until("what it read", () => output.includes("wishlist.item.added") && output.includes(ID));
    });

    test("accepts signatures of both secrets of a rotation, in any order", async () => {
      expect(await statusOf({ signature: signed([OTHER, SECRET]) })).toBe(204);
      expect(await statusOf({ signature: signed([SECRET, OTHER]) })).toBe(204);
    });

    test("accepts a slightly old timestamp", async () => {
      const at = seconds() - 240;
      expect(await statusOf({ signature: signed([SECRET], at), timestamp: at })).toBe(204);
    });

    test.each<[string, () => Message]>([
      ["signed with another secret", () => ({ signature: signed([OTHER]) })],
      ["with another body", () => ({ signature: signed([SECRET]), body: BODY.replace("added", "moved") })],
      [
        "with a body that was parsed and written again",
        () => ({ signature: signed([SECRET]), body: JSON.stringify(JSON.parse(BODY)) }),
      ],
      ["with another id", () => ({ signature: signed([SECRET]), id: `${ID}0` })],
      ["with another time", () => ({ signature: signed([SECRET], seconds() - 60) })],
      ["sent ten minutes ago", () => ({ signature: signed([SECRET], seconds() - 600), timestamp: seconds() - 600 })],
      ["sent in ten minutes", () => ({ signature: signed([SECRET], seconds() + 600), timestamp: seconds() + 600 })],
      ["without a time", () => ({ signature: signed([SECRET]), timestamp: "" })],
      ["with a time that is no number", () => ({ signature: signed([SECRET]), timestamp: "NaN" })],
      ["with a time of many digits", () => ({ signature: signed([SECRET]), timestamp: "9".repeat(5_000) })],
      ["without a signature", () => ({ signature: "" })],
      ["with half a signature", () => ({ signature: signed([SECRET]).slice(0, 20) })],
      ["with a signature of another version", () => ({ signature: signed([SECRET]).replace("v1,", "v2,") })],
      ["with a signature that is no base64", () => ({ signature: "v1,é%%% v1 , v1," })],
    ])("rejects a delivery %s and serves the next one", async (_, message) => {
      expect(await statusOf(message())).toBe(401);
      expect(await statusOf({ signature: signed([SECRET]) })).toBe(204);
    });

    test("does not start without a secret", async () => {
      const [command, args] = await commandOf(language, path.join(folder, file));
      const without = spawn(command, args, { env: { ...process.env, PORT: "0", WEBHOOK_SECRET: "" }, stdio: "ignore" });
      const [exitCode] = await once(without, "exit");
      expect(exitCode).not.toBe(0);
    });
  });
