import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import { z } from "zod";

const configSchema = z.object({
  application_url: z.url(),
  access_scopes: z.object({
    scopes: z.string().transform((scopes) => scopes.split(",").filter((scope) => scope !== "")),
    optional_scopes: z.array(z.string()).default([]),
  }),
  webhooks: z.object({
    api_version: z.string(),
    subscriptions: z.array(
      z.object({
        topics: z.array(z.string()).default([]),
        compliance_topics: z.array(z.string()).default([]),
        uri: z.string(),
        include_fields: z.array(z.string()).optional(),
      }),
    ),
  }),
  app_proxy: z.object({ url: z.string(), prefix: z.string(), subpath: z.string() }),
});

/** Where Shopify sends a topic, and the fields of the payload that it sends: all by default. */
export interface ConfiguredWebhook {
  uri: string;
  includeFields?: readonly string[] | undefined;
}

/** The app's configuration in `shopify.app.toml`, as `shopify app deploy` sends it. */
export interface AppConfig {
  applicationUrl: string;
  scopes: string[];
  optionalScopes: string[];
  apiVersion: string;
  /** by topic */
  webhooks: Record<string, ConfiguredWebhook>;
  appProxy: { prefix: string; subpath: string; path: string };
}

/** @throws Error that names the field if the file is not a valid configuration */
export function readAppConfig(file: URL): AppConfig {
  const { application_url, access_scopes, webhooks, app_proxy } = configSchema.parse(parse(readFileSync(file, "utf8")));
  const byTopic = webhooks.subscriptions.flatMap(({ topics, compliance_topics, uri, include_fields }) =>
    [...topics, ...compliance_topics].map((topic) => [topic, { uri, includeFields: include_fields }] as const),
  );
  return {
    applicationUrl: application_url,
    scopes: access_scopes.scopes,
    optionalScopes: access_scopes.optional_scopes,
    apiVersion: webhooks.api_version,
    webhooks: Object.fromEntries(byTopic),
    appProxy: { prefix: app_proxy.prefix, subpath: app_proxy.subpath, path: app_proxy.url },
  };
}
