// Hands messages to a mail server with the pool that the service has, and records nothing. Arguments: the number of messages and their file.
import { readFile } from "node:fs/promises";
import { createTransport } from "nodemailer";
import { z } from "zod";

const messageShape = z.object({ subject: z.string(), html: z.string(), text: z.string() });

const [url = "", count = "0", file = ""] = process.argv.slice(2);
const message = messageShape.parse(JSON.parse(await readFile(file, "utf8")));
const { hostname, port } = new URL(url);
/** Messages handed over at a time, as the service does for a shop. */
const WINDOW = 16;

const transport = createTransport({
  ...{ pool: true, host: hostname, port: Number(port), ignoreTLS: true },
  ...{ maxConnections: 8, maxMessages: 100, disableFileAccess: true, disableUrlAccess: true },
});
const started = performance.now();
let next = 0;
async function sendNext(): Promise<void> {
  while (next < Number(count)) {
    const n = next++;
    const link = `https://bench.example/alerts/${n}/withdraw-all`;
    await transport.sendMail({
      ...message,
      from: { name: "Bench", address: "bench@mail.example" },
      replyTo: "help@bench.example",
      to: { name: `Customer ${n}`, address: `c${n}@example.com` },
      messageId: `<${n}.${started}@mail.example>`,
      headers: {
        "Auto-Submitted": "auto-generated",
        "List-Unsubscribe": `<${link}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      },
    });
  }
}
await Promise.all(Array.from({ length: WINDOW }, sendNext));
process.stdout.write(String((performance.now() - started) / 1_000));
transport.close();
