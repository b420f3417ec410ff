import { accessSync, constants } from "node:fs";
import { z } from "zod";

/** Parameters of the URL with the path of a PEM file. */
const FILES = ["sslrootcert", "sslcert", "sslkey"];
const MODES = ["disable", "no-verify", "prefer", "require", "verify-ca", "verify-full"];

function parametersOf(url: string): URLSearchParams {
  return URL.canParse(url) ? new URL(url).searchParams : new URLSearchParams();
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * `DATABASE_URL`. The modes between "not encrypted" and "verified" are read as `verify-full`: pg takes them so in its version 8, with a warning
 * in each process, and would encrypt without verification from its version 9 on.
 */
export const databaseUrl = z
  .url({ protocol: /^postgres(ql)?$/, error: "is not a postgres:// address" })
  .refine((url) => MODES.includes(parametersOf(url).get("sslmode") ?? "disable"), {
    error: `has an sslmode that is none of ${MODES.join(", ")}`,
  })
  .refine((url) => FILES.every((name) => isReadable(parametersOf(url).get(name) ?? ".")), {
    error: `names a file that can't be read in one of ${FILES.join(", ")}`,
  })
  .transform((url) => url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, "$1verify-full"));
