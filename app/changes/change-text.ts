import { DEFAULT_LIST } from "../wishlists/owner.ts";
import { isoTime } from "../platform/text/iso-time.ts";
import { typeOf, type ChangeType } from "./change-types.ts";

/*
 * A change as SQL and as JSON. PostgreSQL returns a page as one text with a line for each change and a tab between its columns: a driver spends most of
 * its time on rows and dates, and Node builds the JSON faster than PostgreSQL. Neither ids nor JSON contain tabs or line breaks.
 */

const COLUMNS = [
  "a.change_number",
  "a.kind",
  "(date_part('epoch', a.at) * 1000)::bigint",
  "a.version",
  "a.item_count",
  "a.source",
  "coalesce(a.list_id, '')",
  "a.owner_id",
  "coalesce(a.product_id, '')",
  "coalesce(a.variant_id, '')",
  "coalesce(a.item_seq::text, '')",
  "coalesce(a.data ->> 'addedAt', '')",
  "coalesce((a.data - 'addedAt')::text, '')",
];

/** SQL for a row `a` of activity as text. */
export const CHANGE_TEXT = COLUMNS.join(" || E'\\t' || ");

/** SQL for the separator of changes. */
export const LINE_BREAK = "E'\\n'";

/** A change of the feed. */
export interface Change {
  number: number;
  type: ChangeType;
  customerId: string;
  json: string;
}

/** Parses a page in the format of `CHANGE_TEXT`. @param text null when the page has no change */
export function changesOf(text: string | null): Change[] {
  return text === null ? [] : text.split("\n").map(changeOf);
}

function changeOf(line: string): Change {
  const columns = line.split("\t");
  const [number = "", kind = "", ms = "", version = "", itemCount = "", source = "", listId = ""] = columns;
  const [customerId = "", productId = "", variantId = "", sequence = "", addedMs = "", data = ""] = columns.slice(7);
  const type = typeOf(kind);
  let json = `{"type":"${type}","at":"${isoTime(Number(ms))}","customerId":${quoted(customerId)},"listId":${quoted(listId === "" ? DEFAULT_LIST : listId)}`;
  json += `,"version":${version},"itemCount":${itemCount},"source":"${source}"`;
  if (productId !== "") {
    json += `,"item":{"productId":${quoted(productId)},"variantId":${quoted(variantId)}`;
    // Of a removed item, the data says where it was moved to.
    if (kind === "removed") json += `}${membersOf(data)}`;
    else {
      json += `,"addedAt":"${isoTime(Number(addedMs === "" ? ms : addedMs))}","sequence":${sequence}`;
      json += `${membersOf(data)}}`;
    }
  } else if (data !== "") {
    json += `,"list":${data}`;
  }
  return { number: Number(number), type, customerId, json: json + "}" };
}

/** Returns the members of a JSON object, with a comma before each. */
function membersOf(json: string): string {
  return json.length > "{}".length ? `,${json.slice(1, -1)}` : "";
}

function quoted(text: string): string {
  return /["\\]/.test(text) ? JSON.stringify(text) : `"${text}"`;
}
