import { Failure } from "../../../app/platform/failure.ts";
import { transaction } from "../../../app/platform/database/transaction.server.ts";
import {
  beginImport,
  exportLists,
  importProblems,
  recentImports,
  startImport,
  takePart,
} from "../../../app/wishlists/index.server.ts";
import { until } from "../until.ts";

type Import = NonNullable<Awaited<ReturnType<typeof latestImport>>>;

/** Returns the shop's latest import. */
export async function latestImport(shopId: number) {
  const [latest] = await recentImports(shopId, 1);
  return latest;
}

/** Returns the result, or throws for a failure. */
export function unwrap<T>(outcome: T | Failure): T {
  if (outcome instanceof Failure) throw new Error(outcome.message);
  return outcome;
}

/**
 * Uploads a file in parts.
 * @returns the import's id
 */
export async function upload(
  shopId: number,
  file: string | Uint8Array,
  { fileName = "lists.csv", part = 500_000 } = {},
): Promise<string> {
  const bytes = Buffer.from(file);
  const { id } = unwrap(await transaction(shopId, (tx) => beginImport(tx, shopId, { fileName, size: bytes.length })));
  for (let at = 0; at < bytes.length; at += part) {
    unwrap(await takePart(shopId, { id, at, bytes: bytes.subarray(at, at + part) }));
  }
  return id;
}

/** Waits until no import is in progress. */
export function importIdle(shopId: number): Promise<Import> {
  return until("the import to come to rest", async () => {
    const current = await latestImport(shopId);
    return current && !["uploading", "reading", "running", "undoing"].includes(current.status) && current;
  });
}

/** Returns the dry run's report on a file. */
export async function check(
  shopId: number,
  file: string | Uint8Array,
  options: { fileName?: string; part?: number } = {},
): Promise<Import & { problems: string[] }> {
  const id = await upload(shopId, file, options);
  const found = await importIdle(shopId);
  const problems = await importProblems(shopId, id, 1_000);
  return { ...found, problems: problems.map(({ line, field, problem }) => `${line} ${field}: ${problem}`) };
}

/** Uploads and imports a file. */
export async function importFile(
  shopId: number,
  file: string | Uint8Array,
  options: { fileName?: string; part?: number } = {},
): Promise<Import> {
  const { id, status, failedReason } = await check(shopId, file, options);
  if (status !== "ready") throw new Error(failedReason ?? status);
  await transaction(shopId, (tx) => startImport(tx, shopId, id));
  return importIdle(shopId);
}

/** Returns an export as text. */
export async function exported(shopId: number, format: "csv" | "ndjson", guests = true): Promise<string> {
  let text = "";
  for await (const piece of exportLists(shopId, { format, guests })) text += piece;
  return text;
}

const HEADER = "owner,owner_id,product_id,variant_id,added_at";

/** Returns an NDJSON file of customers' items, each with a time unless it has one. */
export function ndjsonFile(...items: Record<string, unknown>[]): string {
  return items.map((item) => JSON.stringify({ variantId: "v", addedAt: SAVED_AT, ...item })).join("\n");
}

/** A time for items whose time does not matter. */
export const SAVED_AT = "2026-01-02T03:04:05.678Z";

/** Returns a CSV file with these lines. */
export function csvFile(...lines: string[]): string {
  return [HEADER, ...lines].join("\n");
}

/** Returns one item for each of `count` customers: c000000, c000001, … */
export function customersFile(count: number): string {
  return csvFile(
    ...Array.from({ length: count }, (_, n) => `customer,c${String(n).padStart(6, "0")},p${n % 50},v,${SAVED_AT}`),
  );
}
