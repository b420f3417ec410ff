import type { Prisma } from "@prisma/client";
import { z } from "zod";
import { now } from "../../platform/clock.server.ts";
import { sha256 } from "../../platform/encryption/crypto.server.ts";
import { EXPORT_CONNECTIONS, prisma, readSnapshot, run, statement } from "../../platform/database/database.server.ts";
import { download, type DownloadLimits } from "../../platform/download.server.ts";
import { Failure } from "../../platform/failure.ts";
import { randomBase62 } from "../../platform/ids.server.ts";
import { isoTime } from "../../platform/text/iso-time.ts";
import { log } from "../../platform/log/log.server.ts";
import { csvCell, csvRecord, textCell } from "../../platform/text/csv.ts";
import { DETAIL_NAMES, shownDetailsSchema, type ShownDetails } from "../items/details.ts";
import { DETAILS_TEXT } from "../items/item-text.ts";
import { DEFAULT_LIST } from "../owner.ts";
import { COLUMNS, FORMATS, type Format } from "./columns.ts";
import { exportIndex, indexSelection, storedSelection, type IndexSelection } from "./index-export.server.ts";
import { idCell, ownerCell } from "./ids.ts";

/** Milliseconds for which a download link is valid. */
const LINK_LIFE = 60_000;
/** Lists that are read at a time: some megabytes when all are at the cap. */
const LISTS = 50;
/** Characters that are sent at a time. */
const PIECE = 64 * 1024;
/** A download holds a connection and a snapshot, so a client must read at least 16 kB/s and finish within half an hour. */
const LIMITS: DownloadLimits = { least: 20 * 16_000, window: 20_000, deadline: 30 * 60_000 };

export const exportForm = z.strictObject({
  format: z.enum(FORMATS, "Choose a format."),
  guests: z.enum(["on", "off"]).transform((choice) => choice === "on"),
});

export interface ExportOptions {
  format: Format;
  /** also guests' lists, with the hashes of the guests' ids */
  guests: boolean;
}

/** Shops with an export in progress in this process. */
const exporting = new Set<number>();

/** Returns why the shop can't export now. */
function busy(shopId: number): Failure | undefined {
  if (exporting.has(shopId)) {
    const message = "An export is in progress. Try again when it has finished.";
    return new Failure("service_unavailable", message, { retryAfter: 30 });
  }
  if (exporting.size < EXPORT_CONNECTIONS) return undefined;
  return new Failure("service_unavailable", "Too many exports are in progress. Try again in a moment.", {
    retryAfter: 30,
  });
}

/**
 * Creates a token with which a browser downloads an export once, within a minute. The download is a link, because a browser saves it while it
 * arrives, whatever its size; a link can carry a credential only in its URL.
 */
async function createToken(
  tx: Prisma.TransactionClient,
  shopId: number,
  row: Pick<Prisma.ExportLinkUncheckedCreateInput, "format" | "guests" | "selection">,
): Promise<string | Failure> {
  const refused = busy(shopId);
  if (refused) return refused;
  const secret = randomBase62(43);
  const at = now();
  await tx.exportLink.deleteMany({ where: { shopId, expiresAt: { lte: at } } });
  await tx.exportLink.create({
    data: {
      ...row,
      shopId,
      tokenHash: new Uint8Array(sha256(secret)),
      expiresAt: new Date(at.getTime() + LINK_LIFE),
    },
  });
  return `${shopId}.${secret}`;
}

/** Creates a token for an export of all lists of a shop. */
export function createExportToken(
  tx: Prisma.TransactionClient,
  shopId: number,
  { format, guests }: ExportOptions,
): Promise<string | Failure> {
  return createToken(tx, shopId, { format, guests });
}

/** Creates a token for an export of lists of the index. */
export function createIndexExportToken(
  tx: Prisma.TransactionClient,
  shopId: number,
  selection: IndexSelection,
): Promise<string | Failure> {
  return createToken(tx, shopId, { format: "csv", guests: true, selection: storedSelection(selection) });
}

interface RedeemedLink {
  format: Format;
  guests: boolean;
  selection: unknown;
  domain: string;
  currency: string | null;
  day: string;
}

const redeemStatement = statement<RedeemedLink>(
  "export_redeem",
  `WITH link AS (
     DELETE FROM export_link WHERE shop_id = $1 AND token_hash = $2 AND (selection IS NOT NULL) = $4::boolean
     RETURNING format, guests, selection, expires_at
   )
   SELECT l.format, l.guests, l.selection, s.domain, s.currency, to_char($3::timestamptz AT TIME ZONE s.time_zone, 'YYYY-MM-DD') AS day
     FROM link l JOIN shop s ON s.id = $1
    WHERE l.expires_at > $3 AND s.uninstalled_at IS NULL`,
);

interface ListRow {
  owner_kind: string;
  owner_id: string;
  handle: string;
  name: string | null;
  /** null for a list without items */
  items: string | null;
  /** of a list whose items can have details */
  details: string | null;
}

const listsStatement = statement<ListRow>(
  "export_lists",
  // Oldest first: an import in this order keeps the order of items that were saved at the same time. The inner query names the shop, too:
  // Citus would ask every shard for the items of w.shop_id.
  `SELECT w.owner_kind, w.owner_id, w.handle, w.name, x.items, x.details
     FROM wishlist w
     JOIN shop s ON s.id = $1::bigint
    CROSS JOIN LATERAL (
      SELECT string_agg(i.product_id || ' ' || i.variant_id || ' ' || (date_part('epoch', i.added_at) * 1000)::bigint || ' ' || coalesce(amount_text(i.saved_price, s.currency), '-'),
                        ' ' ORDER BY i.added_at, i.seq) AS items,
             CASE WHEN w.has_details THEN
               '[' || string_agg('{' || substr(${DETAILS_TEXT}, 2) || '}', ',' ORDER BY i.added_at, i.seq) || ']'
             END AS details
        FROM wishlist_item i WHERE i.shop_id = $1::bigint AND i.wishlist_id = w.id) AS x
    WHERE w.shop_id = $1::bigint AND (w.owner_kind = 'customer' OR $2::boolean) AND w.deleted_at IS NULL
      AND (w.item_count > 0 OR w.name IS NOT NULL)
    ORDER BY w.owner_kind, w.owner_id, w.handle <> '${DEFAULT_LIST}', w.position, w.handle`,
);

const detailsSchema = z.array(shownDetailsSchema);

/** Returns the cell of a detail. */
function detailCell(value: ShownDetails[keyof ShownDetails]): string {
  if (typeof value === "object") return csvCell(JSON.stringify(value));
  return typeof value === "string" ? textCell(value) : String(value ?? "");
}

interface Item {
  productId: string;
  variantId: string;
  addedAt: string;
  details: ShownDetails | undefined;
  savedPrice: string | undefined;
}

/** Writes an item of a list, or a list without items. */
const WRITE: Record<Format, (list: ListRow, item: Item | undefined) => string> = {
  csv: ({ owner_kind, owner_id, handle, name }, item) => {
    const cells = [
      ...[owner_kind, ownerCell(owner_kind, owner_id)],
      ...(item
        ? [idCell("Product", item.productId), idCell("ProductVariant", item.variantId), item.addedAt]
        : ["", "", ""]),
      ...[handle, textCell(name ?? "")],
      ...DETAIL_NAMES.map((name) => detailCell(item?.details?.[name])),
      item?.savedPrice ?? "",
    ];
    return `${cells.join(",")}\r\n`;
  },
  ndjson: ({ owner_kind, owner_id, handle, name }, item) => {
    const line = {
      ...{ owner: owner_kind, ownerId: owner_id },
      ...{ productId: item?.productId, variantId: item?.variantId, addedAt: item?.addedAt, listId: handle },
      listName: name ?? undefined,
      ...item?.details,
      savedPrice: item?.savedPrice,
    };
    return `${JSON.stringify(line)}\n`;
  },
};

/** Returns the items of a list; of a list without items one line that is none. */
function* itemsOf({ items, details }: ListRow): Generator<Item | undefined> {
  if (items === null) {
    yield undefined;
    return;
  }
  const parts = items.split(" ");
  const described = details === null ? [] : detailsSchema.parse(JSON.parse(details));
  for (let at = 0; at + 3 < parts.length; at += 4) {
    const [productId = "", variantId = "", ms = "", price = ""] = parts.slice(at, at + 4);
    yield {
      ...{ productId, variantId, addedAt: isoTime(Number(ms)), details: described[at / 4] },
      savedPrice: price === "-" ? undefined : price,
    };
  }
}

/** Exports all wishlists of a shop from one snapshot, in pieces of text. Memory use does not grow with their number. */
export async function* exportLists(shopId: number, { format, guests }: ExportOptions): AsyncGenerator<string, void> {
  const write = WRITE[format];
  let piece = format === "csv" ? csvRecord(Object.keys(COLUMNS)) : "";
  for await (const lists of readSnapshot(listsStatement, [shopId, guests], LISTS)) {
    for (const list of lists) {
      for (const item of itemsOf(list)) {
        piece += write(list, item);
        if (piece.length < PIECE) continue;
        yield piece;
        piece = "";
      }
    }
  }
  if (piece !== "") yield piece;
}

export interface Export {
  fileName: string;
  type: string;
  body: ReadableStream<Uint8Array>;
}

const TYPES: Record<Format, string> = {
  csv: "text/csv; charset=utf-8; header=present",
  ndjson: "application/x-ndjson; charset=utf-8",
};

/**
 * Starts the export of a token.
 * @param ofIndex whether the token is one for lists of the index
 * @returns `not_found` for an invalid or expired token; `service_unavailable` while another export is in progress
 */
async function redeem(
  token: string,
  ofIndex: boolean,
  open: (shopId: number, link: RedeemedLink) => AsyncGenerator<string, void>,
): Promise<Export | Failure> {
  const [, id = "", secret = ""] = /^(\d{1,9})\.(\w{43})$/.exec(token) ?? [];
  const gone = new Failure("not_found", "This link has expired or was already used. Export again in the app.");
  if (secret === "") return gone;
  const shopId = Number(id);
  const refused = busy(shopId);
  if (refused) return refused;
  const [row] = await run(redeemStatement, [shopId, sha256(secret), now(), ofIndex]);
  if (!row) return gone;
  // Another token of the shop may have been redeemed during the query.
  const refusedNow = busy(shopId);
  if (refusedNow) return refusedNow;
  exporting.add(shopId);
  const store = row.domain.replace(/\.myshopify\.com$/, "").replaceAll(/[^\w.-]/g, "");
  return {
    fileName: `${ofIndex ? "selected-" : ""}wishlists-${store}-${row.day}.${row.format}`,
    type: TYPES[row.format],
    body: download(open(shopId, row), LIMITS, (reason) => {
      exporting.delete(shopId);
      if (reason !== undefined) log.warn({ shop: row.domain, reason }, "an export was aborted");
    }),
  };
}

/** Starts the export of all lists of a shop: see `redeem`. */
export function redeemExportToken(token: string): Promise<Export | Failure> {
  return redeem(token, false, exportLists);
}

/** Starts the export of lists of the index: see `redeem`. */
export function redeemIndexExportToken(token: string): Promise<Export | Failure> {
  return redeem(token, true, (id, { domain, currency, selection }) =>
    exportIndex({ id, domain, currency }, indexSelection.parse(selection)),
  );
}

/** Purges expired tokens. */
export async function purgeExportTokens(shopId: number): Promise<void> {
  await prisma().exportLink.deleteMany({ where: { shopId, expiresAt: { lte: now() } } });
}
