import { Command, Option } from "commander";
import {
  ALL_SCOPES,
  createKey,
  findKey,
  listKeys,
  revokeKey,
  rotateKey,
  SCOPES,
  type ApiKey,
  type Scope,
} from "../../app/access/index.server.ts";
import { now } from "../../app/platform/clock.server.ts";
import { transaction } from "../../app/platform/transaction.server.ts";
import { Failure } from "../../app/platform/failure.ts";
import { duration, jsonOption, keyId, keyName, lifetime, scopes, shopOption } from "./arguments.ts";
import { PROGRAM, Refusal, runs } from "./run.ts";
import { shopOf } from "./shops.ts";
import { table } from "./table.ts";

/** @throws Refusal for an unknown key */
async function keyOf(id: string) {
  const found = await findKey(id);
  if (!found) throw new Refusal(`There is no key ${id}. \`${PROGRAM} keys list --shop <domain>\` shows a shop's keys.`);
  return found;
}

function stateOf(key: ApiKey): "active" | "expired" | "revoked" {
  if (key.revokedAt) return "revoked";
  return key.expiresAt && key.expiresAt <= now() ? "expired" : "active";
}

/** Why a key has no future. */
function whyFinal(key: ApiKey): string {
  if (stateOf(key) === "active") return `was rotated before (its successor is ${key.successorKeyId ?? "gone"})`;
  return stateOf(key) === "revoked" ? "was revoked" : "has expired";
}

function minute(date: Date | null): string {
  return date?.toISOString().slice(0, 16).replace("T", " ") ?? "never";
}

function keyTable(keys: readonly ApiKey[]): string {
  return table(
    ["KEY ID", "NAME", "KIND", "STATE", "SECRET", "LAST USED (UTC)", "EXPIRES (UTC)", "SCOPES"],
    keys.map((key) => [
      key.keyId,
      key.name,
      key.kind.replace("_", " "),
      stateOf(key),
      `…${key.secretHint}`,
      minute(key.lastUsedAt),
      minute(key.expiresAt),
      key.scopes.join(","),
    ]),
  );
}

interface NewKey {
  shop: string;
  name: string;
  scopes: Scope[];
  storefrontServer?: true;
  expiresIn?: number;
}

const ONCE = "Keep the secret now: it is not shown again.";

export function keysCommand(): Command {
  const keys = new Command("keys").description("create, list, rotate and revoke API keys");

  keys
    .command("create")
    .description("create an API key; its secret is shown once")
    .addOption(shopOption())
    .addOption(new Option("--name <name>", "what it is for").argParser(keyName).makeOptionMandatory())
    .addOption(
      new Option("--scopes <list>", `all, or some of ${ALL_SCOPES.join(",")}`).argParser(scopes).makeOptionMandatory(),
    )
    .addOption(new Option("--storefront-server", "for a storefront's server: a limit of its own, wishlist scopes only"))
    .addOption(new Option("--expires-in <time>", "such as 90d; never when left out").argParser(lifetime))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `\nScopes:\n${ALL_SCOPES.map((scope) => `  ${scope.padEnd(16)} ${SCOPES[scope]}`).join("\n")}`,
    )
    .action(
      runs("keys create", async (options: NewKey) => {
        const shop = await shopOf(options.shop);
        const { name, scopes: granted, storefrontServer, expiresIn } = options;
        const kind = storefrontServer ? ("storefront_server" as const) : ("admin" as const);
        const expiry = expiresIn === undefined ? {} : { expiresAt: new Date(now().getTime() + expiresIn) };
        const key = await transaction(shop.id, (tx) =>
          createKey(tx, { shopId: shop.id, name, kind, scopes: granted, ...expiry }),
        );
        if (key instanceof Failure) throw new Refusal(key.message);
        return {
          json: { shop: shop.domain, keyId: key.keyId, secret: key.secret, kind: key.kind, scopes: key.scopes },
          text: `Key id   ${key.keyId}\nSecret   ${key.secret}\nScopes   ${key.scopes.join(", ")}\n\n${ONCE}`,
        };
      }),
    );

  keys
    .command("list")
    .description("list a shop's keys")
    .addOption(shopOption())
    .addOption(jsonOption())
    .action(
      runs("keys list", async (options: { shop: string }) => {
        const shop = await shopOf(options.shop);
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

  keys
    .command("rotate")
    .description("replace a key; the old one stays valid for a while")
    .argument("<keyId>", "the key to replace", keyId)
    .addOption(
      new Option("--overlap <time>", "how long the old key stays valid, such as 30m or 7d; 0 ends it at once")
        .argParser(duration)
        .default(86_400_000, "24h"),
    )
    .addOption(jsonOption())
    .action(
      runs("keys rotate", async (id: string, { overlap }: { overlap: number }) => {
        const { shopId, key } = await keyOf(id);
        const issued = await transaction(shopId, (tx) => rotateKey(tx, shopId, id, overlap));
        if (issued instanceof Failure) throw new Refusal(issued.message);
        if (!issued) throw new Refusal(`The key ${id} ${whyFinal(key)}, so it can't be rotated.`);
        const replacedKeyExpiresAt = (await keyOf(id)).key.expiresAt;
        return {
          json: {
            keyId: issued.keyId,
            secret: issued.secret,
            scopes: issued.scopes,
            replaces: id,
            replacedKeyExpiresAt,
          },
          text: `Key id   ${issued.keyId}\nSecret   ${issued.secret}\nScopes   ${issued.scopes.join(", ")}\n\n${ONCE} ${id} works until ${minute(replacedKeyExpiresAt)} UTC.`,
        };
      }),
    );

  keys
    .command("revoke")
    .description("revoke a key and all its tokens at once")
    .argument("<keyId>", "the key to revoke", keyId)
    .addOption(jsonOption())
    .action(
      runs("keys revoke", async (id: string) => {
        const { shopId } = await keyOf(id);
        await transaction(shopId, (tx) => revokeKey(tx, shopId, id));
        return { json: { keyId: id, revoked: true }, text: `Revoked ${id}. Its tokens stop within a second.` };
      }),
    );

  return keys;
}
