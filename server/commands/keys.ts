import { Command, Option } from "commander";
import {
  ALL_SCOPES,
  createKey,
  findKey,
  listKeys,
  revokeKey,
  rotateKey,
  SCOPES,
  type Scope,
} from "../../app/access/index.server.ts";
import { now } from "../../app/platform/clock.server.ts";
import { Failure } from "../../app/platform/failure.ts";
import { duration, jsonOption, keyName, scopes, shopOption } from "./arguments.ts";
import { Refusal, runs } from "./run.ts";
import { shopOf } from "./shops.ts";
import { table } from "./table.ts";

async function keyOf(keyId: string) {
  const found = await findKey(keyId);
  if (!found)
    throw new Refusal(`There is no key ${keyId}. \`wishlist keys list --shop <domain>\` shows a shop's keys.`);
  return found;
}

export function keysCommand(): Command {
  const keys = new Command("keys").description("create, list, rotate and revoke API keys");

  keys
    .command("create")
    .description("make an API key; its secret is shown this once")
    .addOption(shopOption())
    .addOption(new Option("--name <name>", "what it is for").argParser(keyName).makeOptionMandatory())
    .addOption(
      new Option("--scopes <list>", `all, or some of ${ALL_SCOPES.join(",")}`).argParser(scopes).makeOptionMandatory(),
    )
    .addOption(new Option("--expires-in <time>", "such as 90d; never when left out").argParser(duration))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `\nScopes:\n${ALL_SCOPES.map((scope) => `  ${scope.padEnd(16)} ${SCOPES[scope]}`).join("\n")}`,
    )
    .action(
      runs(
        "wishlist keys create",
        async (options: { shop: string; name: string; scopes: Scope[]; expiresIn?: number }) => {
          const shop = await shopOf(options.shop);
          const key = await createKey({
            shopId: shop.id,
            name: options.name,
            scopes: options.scopes,
            ...(options.expiresIn === undefined ? {} : { expiresAt: new Date(now().getTime() + options.expiresIn) }),
          });
          if (key instanceof Failure) throw new Refusal(key.message);
          return {
            json: { shop: shop.domain, keyId: key.keyId, secret: key.secret, scopes: key.scopes },
            text: `Key id   ${key.keyId}\nSecret   ${key.secret}\nScopes   ${key.scopes.join(", ")}\n\nKeep the secret now: it is not shown again.`,
          };
        },
      ),
    );

  keys
    .command("list")
    .description("list a shop's keys")
    .addOption(shopOption())
    .addOption(jsonOption())
    .action(
      runs("wishlist keys list", async (options: { shop: string }) => {
        const shop = await shopOf(options.shop);
        const all = await listKeys(shop.id);
        const day = (date: Date | null): string => date?.toISOString().slice(0, 16).replace("T", " ") ?? "never";
        const state = (key: (typeof all)[number]): string =>
          key.revokedAt ? "revoked" : key.expiresAt && key.expiresAt <= now() ? "expired" : "active";
        return {
          json: all.map((key) => ({ ...key, shop: shop.domain, state: state(key) })),
          text: table(
            ["KEY ID", "NAME", "STATE", "SECRET", "LAST USED", "EXPIRES", "SCOPES"],
            all.map((key) => [
              key.keyId,
              key.name,
              state(key),
              `…${key.secretHint}`,
              day(key.lastUsedAt),
              day(key.expiresAt),
              key.scopes.join(","),
            ]),
          ),
        };
      }),
    );

  keys
    .command("rotate")
    .description("replace a key; the old one goes on for a while")
    .argument("<keyId>", "the key to replace")
    .addOption(
      new Option("--overlap <time>", "how long the old key goes on").argParser(duration).default(86_400_000, "24h"),
    )
    .addOption(jsonOption())
    .action(
      runs("wishlist keys rotate", async (keyId: string, options: { overlap: number }) => {
        const { shopId } = await keyOf(keyId);
        const issued = await rotateKey(shopId, keyId, options.overlap);
        if (!issued) throw new Refusal(`The key ${keyId} was revoked, has expired or was rotated before.`);
        const old = await keyOf(keyId);
        return {
          json: {
            keyId: issued.keyId,
            secret: issued.secret,
            scopes: issued.scopes,
            replaces: keyId,
            replacedKeyExpiresAt: old.key.expiresAt,
          },
          text: `Key id   ${issued.keyId}\nSecret   ${issued.secret}\n\nKeep the secret now: it is not shown again. ${keyId} works until ${old.key.expiresAt?.toISOString() ?? "revoked"}.`,
        };
      }),
    );

  keys
    .command("revoke")
    .description("end a key and all its tokens at once")
    .argument("<keyId>", "the key to end")
    .addOption(jsonOption())
    .action(
      runs("wishlist keys revoke", async (keyId: string) => {
        const { shopId } = await keyOf(keyId);
        await revokeKey(shopId, keyId);
        return { json: { keyId, revoked: true }, text: `Revoked ${keyId}. Its tokens stop within a second.` };
      }),
    );

  return keys;
}
