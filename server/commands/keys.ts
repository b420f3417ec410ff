import type { Prisma } from "@prisma/client";
import { Command, Option } from "commander";
import {
  ALL_SCOPES,
  createKey,
  createPublishableKey,
  findKey,
  listKeys,
  revokeKey,
  rotateKey,
  setAllowedOrigins,
  SCOPES,
  type ApiKey,
  type SuccessorKey,
  type Scope,
} from "../../app/access/index.server.ts";
import { audit } from "../../app/audit/index.server.ts";
import { now } from "../../app/platform/clock.server.ts";
import { transaction } from "../../app/platform/database/transaction.server.ts";
import { Failure } from "../../app/platform/failure.ts";
import { PROGRAM } from "../program-name.ts";
import {
  parseDuration,
  jsonOption,
  parseKeyId,
  parseKeyName,
  parseLifetime,
  parseOrigins,
  parseScopes,
  shopOption,
} from "./arguments.ts";
import { commandLine } from "./operator.ts";
import { Refusal } from "./refusal.ts";
import { databaseCommand } from "./run.ts";
import { requireShop } from "./shops.ts";
import { table } from "./table.ts";

/** @throws Refusal for an unknown key */
async function requireKey(id: string) {
  const found = await findKey(id);
  if (!found)
    throw new Refusal(`The key ${id} does not exist. \`${PROGRAM} keys list --shop <domain>\` lists a shop's keys.`);
  return found;
}

function stateOf(key: ApiKey): "active" | "expired" | "revoked" {
  if (key.revokedAt) return "revoked";
  return key.expiresAt && key.expiresAt <= now() ? "expired" : "active";
}

/** Explains why a key cannot be rotated. */
function reasonNotRotatable(key: ApiKey): string {
  if (stateOf(key) === "active") return `was already rotated (its successor is ${key.successorKeyId ?? "gone"})`;
  return stateOf(key) === "revoked" ? "was revoked" : "has expired";
}

function formatMinute(date: Date | null): string {
  return date?.toISOString().slice(0, 16).replace("T", " ") ?? "never";
}

function keyTable(keys: readonly ApiKey[]): string {
  return table(
    ["KEY ID", "NAME", "KIND", "STATE", "SECRET", "LAST USED (UTC)", "EXPIRES (UTC)", "SCOPES OR ORIGINS"],
    keys.map((key) => [
      key.keyId,
      key.name,
      key.kind.replace("_", " "),
      stateOf(key),
      key.kind === "publishable" ? "none" : `…${key.secretHint}`,
      formatMinute(key.lastUsedAt),
      formatMinute(key.expiresAt),
      key.kind === "publishable" ? key.allowedOrigins.join(",") : key.scopes.join(","),
    ]),
  );
}

interface NewKey {
  shop: string;
  name: string;
  scopes?: Scope[];
  storefrontServer?: true;
  publishable?: true;
  origins?: string[];
  expiresIn?: number;
}

const KEEP_SECRET_NOTICE = "Save the secret now: it is not shown again.";

/** Returns what a command shows of a new key. */
function shown({ keyId, kind, secret, scopes, allowedOrigins }: SuccessorKey) {
  return secret === undefined
    ? {
        json: { keyId, kind, allowedOrigins },
        text: `Publishable key   ${keyId}\nAllowed origins   ${allowedOrigins.join(", ")}`,
        notice: [],
      }
    : {
        json: { keyId, secret, kind, scopes },
        text: `Key id   ${keyId}\nSecret   ${secret}\nScopes   ${scopes.join(", ")}`,
        notice: [KEEP_SECRET_NOTICE],
      };
}

async function recordCreation<Key extends ApiKey>(
  tx: Prisma.TransactionClient,
  shopId: number,
  key: Key,
): Promise<Key> {
  const { keyId: subject, name } = key;
  await audit(tx, { shopId, ...commandLine(), action: "api_key.created", subject, details: { name } });
  return key;
}

function addCreate(keys: Command): void {
  keys
    .command("create")
    .description("create an API key; its secret is shown once")
    .addOption(shopOption())
    .addOption(new Option("--name <name>", "a name for the key").argParser(parseKeyName).makeOptionMandatory())
    .addOption(
      new Option("--scopes <list>", `all, or some of ${ALL_SCOPES.join(",")}; required unless publishable`).argParser(
        parseScopes,
      ),
    )
    .addOption(
      new Option("--storefront-server", "for a storefront's server: separate rate limit, wishlist scopes only"),
    )
    .addOption(
      new Option("--publishable", "for browsers and apps: no secret, one shopper per token").conflicts([
        "scopes",
        "storefrontServer",
      ]),
    )
    .addOption(
      new Option("--origins <list>", "of a publishable key: the origins of its pages, such as https://www.example.com")
        .argParser(parseOrigins)
        .conflicts(["scopes", "storefrontServer"]),
    )
    .addOption(new Option("--expires-in <time>", "lifetime such as 90d; unlimited by default").argParser(parseLifetime))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `\nScopes:\n${ALL_SCOPES.map((scope) => `  ${scope.padEnd(16)} ${SCOPES[scope]}`).join("\n")}`,
    )
    .action(
      databaseCommand("keys create", async (options: NewKey) => {
        const shop = await requireShop(options.shop);
        const { name, scopes: granted, storefrontServer, publishable, origins, expiresIn } = options;
        const expiry = expiresIn === undefined ? {} : { expiresAt: new Date(now().getTime() + expiresIn) };
        if (publishable) {
          if (!origins) throw new Refusal("A publishable key needs --origins <list>, such as https://www.example.com.");
          const key = await transaction(shop.id, async (tx) => {
            const created = await createPublishableKey(tx, {
              shopId: shop.id,
              name,
              allowedOrigins: origins,
              ...expiry,
            });
            return created instanceof Failure ? created : recordCreation(tx, shop.id, created);
          });
          if (key instanceof Failure) throw new Refusal(key.message);
          const { json, text } = shown({ ...key, secret: undefined });
          return { json: { shop: shop.domain, ...json }, text };
        }
        if (!granted) throw new Refusal("A key needs --scopes <list>, or --publishable --origins <list>.");
        const kind = storefrontServer ? ("storefront_server" as const) : ("admin" as const);
        const key = await transaction(shop.id, async (tx) => {
          const created = await createKey(tx, { shopId: shop.id, name, kind, scopes: granted, ...expiry });
          return created instanceof Failure ? created : recordCreation(tx, shop.id, created);
        });
        if (key instanceof Failure) throw new Refusal(key.message);
        const { json, text, notice } = shown(key);
        return { json: { shop: shop.domain, ...json }, text: [text, "", ...notice].join("\n") };
      }),
    );
}

function addList(keys: Command): void {
  keys
    .command("list")
    .description("list a shop's keys")
    .addOption(shopOption())
    .addOption(jsonOption())
    .action(
      databaseCommand("keys list", async (options: { shop: string }) => {
        const shop = await requireShop(options.shop);
        const all = await listKeys(shop.id);
        return {
          json: all.map((key) => ({ shop: shop.domain, ...key, state: stateOf(key) })),
          text:
            all.length === 0
              ? `${shop.domain} has no keys yet. Create one with \`${PROGRAM} keys create\`.`
              : keyTable(all),
        };
      }),
    );
}

function addOrigins(keys: Command): void {
  keys
    .command("origins")
    .description("replace the origins of a publishable key")
    .argument("<keyId>", "the publishable key", parseKeyId)
    .argument("<origins>", "such as https://www.example.com,https://*.example.com", parseOrigins)
    .addOption(jsonOption())
    .action(
      databaseCommand("keys origins", async (id: string, origins: string[]) => {
        const { shopId } = await requireKey(id);
        const changed = await transaction(shopId, async (tx) => {
          const done = await setAllowedOrigins(tx, shopId, id, origins);
          if (done) {
            const details = { name: done.name, from: done.before.join(", "), to: origins.join(", ") };
            await audit(tx, { shopId, ...commandLine(), action: "api_key.origins_changed", subject: id, details });
          }
          return done;
        });
        if (!changed) throw new Refusal(`The key ${id} is not an active publishable key.`);
        return {
          json: { keyId: id, allowedOrigins: origins },
          text: `Allowed origins   ${origins.join(", ")}`,
        };
      }),
    );
}

function addRotate(keys: Command): void {
  keys
    .command("rotate")
    .description("replace a key; the old one stays valid for a while")
    .argument("<keyId>", "the key to replace", parseKeyId)
    .addOption(
      new Option("--overlap <time>", "how long the old key stays valid, such as 30m or 7d; 0 revokes it immediately")
        .argParser(parseDuration)
        .default(86_400_000, "24h"),
    )
    .addOption(jsonOption())
    .action(
      databaseCommand("keys rotate", async (id: string, { overlap }: { overlap: number }) => {
        const { shopId, key } = await requireKey(id);
        const issued = await transaction(shopId, async (tx) => {
          const successor = await rotateKey(tx, shopId, id, overlap);
          if (successor && !(successor instanceof Failure)) {
            const details = { name: successor.name, to: successor.keyId };
            await audit(tx, { shopId, ...commandLine(), action: "api_key.rotated", subject: id, details });
          }
          return successor;
        });
        if (issued instanceof Failure) throw new Refusal(issued.message);
        if (!issued) throw new Refusal(`The key ${id} ${reasonNotRotatable(key)}, so it cannot be rotated.`);
        const replacedKeyExpiresAt = (await requireKey(id)).key.expiresAt;
        const { json, text, notice } = shown(issued);
        const end = `${id} works until ${formatMinute(replacedKeyExpiresAt)} UTC.`;
        return {
          json: { ...json, replaces: id, replacedKeyExpiresAt },
          text: `${text}\n\n${[...notice, end].join(" ")}`,
        };
      }),
    );
}

function addRevoke(keys: Command): void {
  keys
    .command("revoke")
    .description("revoke a key and all its tokens immediately")
    .argument("<keyId>", "the key to revoke", parseKeyId)
    .addOption(jsonOption())
    .action(
      databaseCommand("keys revoke", async (id: string) => {
        const { shopId } = await requireKey(id);
        await transaction(shopId, async (tx) => {
          const revoked = await revokeKey(tx, shopId, id);
          if (revoked?.revokedNow) {
            const details = { name: revoked.key.name };
            await audit(tx, { shopId, ...commandLine(), action: "api_key.revoked", subject: id, details });
          }
        });
        return { json: { keyId: id, revoked: true }, text: `Revoked ${id}. Its tokens stop within a second.` };
      }),
    );
}

export function keysCommand(): Command {
  const keys = new Command("keys").description("create, list, rotate and revoke API keys");
  addCreate(keys);
  addList(keys);
  addOrigins(keys);
  addRotate(keys);
  addRevoke(keys);
  return keys;
}
