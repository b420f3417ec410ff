import { z } from "zod";
import { encryptionKeys, secretsSchema, type EncryptionKey, type Secrets } from "./secrets-schema.server.ts";
import { settingsSchema, type Env } from "./settings-schema.server.ts";

export type { EncryptionKey, Env };

/** Settings that are missing or invalid. `problems` has one line for each. */
export class EnvironmentError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`The environment is not complete:\n${problems.map((line) => `  - ${line}`).join("\n")}`);
    this.name = "EnvironmentError";
    this.problems = problems;
  }
}

/** The environment variables that the service reads. */
export const SETTING_NAMES = [...Object.keys(secretsSchema.in.shape), ...Object.keys(settingsSchema.in.shape)];

/** The service connects to Shopify when all of these are set. */
const SHOPIFY_SETTINGS = ["SHOPIFY_API_KEY", "SHOPIFY_API_SECRET", "SHOPIFY_APP_URL"];

type Source = Readonly<Record<string, string | undefined>>;

/** Drops empty variables, because shells and compose files write "not set" that way. */
function given(source: Source): Source {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ""));
}

function problems(error: z.ZodError | undefined): string[] {
  return (error?.issues ?? []).map((issue) => `${issue.path.join(".")} ${issue.message}`);
}

/** Messages to shoppers are sent when both are set. */
const MAIL_SETTINGS = ["SMTP_URL", "MAIL_FROM"];

const DKIM_SETTINGS = ["DKIM_DOMAIN", "DKIM_SELECTOR", "DKIM_PRIVATE_KEY"];

/** Returns the problems of settings that need each other. @param names either all or none are set */
function togetherProblems(source: Source, names: readonly string[]): string[] {
  const present = names.filter((name) => source[name] !== undefined);
  if (present.length === 0) return [];
  const missing = names.filter((name) => !present.includes(name));
  return missing.map((name) => `${name} is missing, although ${present.join(" and ")} is set`);
}

/** @throws EnvironmentError that names every missing or invalid setting at once, without showing any value */
export function parseEnv(source: Source): { env: Env; secrets: Secrets } {
  const settings = settingsSchema.safeParse(given(source));
  const secrets = secretsSchema.safeParse(given(source));
  const incomplete = [SHOPIFY_SETTINGS, MAIL_SETTINGS, DKIM_SETTINGS].flatMap((names) =>
    togetherProblems(given(source), names),
  );
  if (!settings.success || !secrets.success || incomplete.length > 0) {
    throw new EnvironmentError([...problems(settings.error), ...problems(secrets.error), ...incomplete]);
  }
  return { env: settings.data, secrets: secrets.data };
}

let currentEnv: Env | undefined;
let currentSecrets: Secrets | undefined;

/** The settings of this process, read at the first call. */
export function env(): Env {
  return currentEnv ?? provideSettings({});
}

/** The secrets of this process, read at the first call. */
export function secrets(): Secrets {
  currentSecrets ??= parseEnv(process.env).secrets;
  return currentSecrets;
}

/**
 * Reads and checks settings and secrets. To be called before any setting is read.
 * @param defaults for variables that the process's environment does not set, such as the address of the embedded database
 */
export function provideEnv(defaults: Readonly<Record<string, string>>): Env {
  const parsed = parseEnv({ ...defaults, ...given(process.env) });
  currentEnv = parsed.env;
  currentSecrets = parsed.secrets;
  return parsed.env;
}

/** As `provideEnv`, for a process that needs no secrets, such as the command line. */
export function provideSettings(defaults: Readonly<Record<string, string>>): Env {
  const settings = settingsSchema.safeParse({ ...defaults, ...given(process.env) });
  if (!settings.success) throw new EnvironmentError(problems(settings.error));
  currentEnv = settings.data;
  return currentEnv;
}

/** Returns the user of the operating system who called this process by sudo, if it was. */
export function sudoCaller(): string | undefined {
  return given(process.env)["SUDO_USER"];
}

const onlyEncryptionKeys = z.object({ ENCRYPTION_KEYS: encryptionKeys });

/**
 * Parses the encryption keys, for a command that needs no other secret.
 * @throws EnvironmentError when they are missing or invalid
 */
export function parseEncryptionKeys(text: string | undefined): Secrets["encryptionKeys"] {
  const parsed = onlyEncryptionKeys.safeParse({ ENCRYPTION_KEYS: text });
  if (!parsed.success) throw new EnvironmentError(problems(parsed.error));
  return parsed.data.ENCRYPTION_KEYS;
}

/** Reads the encryption keys from the environment, or from `fallback` when the environment has none. */
export function readEncryptionKeys(fallback: string | undefined): Secrets["encryptionKeys"] {
  return parseEncryptionKeys(given(process.env)["ENCRYPTION_KEYS"] ?? fallback);
}
