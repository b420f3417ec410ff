import { z } from "zod";
import { badUserInput } from "./problems.ts";

/** Most items of a page. */
const PAGE_MAXIMUM = 250;
/** Most ids of `nodes`. */
const IDS_MAXIMUM = 250;

export interface PageArguments {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  reverse?: boolean | null | undefined;
}

export interface Connection<T> {
  edges: { cursor: string; node: T }[];
  nodes: T[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
}

/** An item's place in the order: the value that it is sorted by, then its id. */
export interface Position {
  value: string | number;
  id: string;
}

const cursorSchema = z.object({ last_id: z.string(), last_value: z.union([z.string(), z.number()]) });

function toCursor({ value, id }: Position): string {
  return Buffer.from(JSON.stringify({ last_id: id, last_value: value })).toString("base64");
}

function fromCursor(cursor: string): Position {
  try {
    const { last_id, last_value } = cursorSchema.parse(JSON.parse(Buffer.from(cursor, "base64").toString()));
    return { id: last_id, value: last_value };
  } catch {
    throw badUserInput("Invalid cursor for current pagination sort.");
  }
}

function compare(left: Position, right: Position): number {
  if (left.value !== right.value) return left.value < right.value ? -1 : 1;
  if (left.id.length !== right.id.length) return left.id.length - right.id.length;
  return left.id < right.id ? -1 : Number(left.id > right.id);
}

function checked(name: string, count: number | null | undefined): number | undefined {
  if (count === null || count === undefined) return undefined;
  if (count < 0) throw badUserInput(`${name} must not be negative`);
  if (count > PAGE_MAXIMUM) throw badUserInput(`${name} cannot exceed ${PAGE_MAXIMUM}`);
  return count;
}

/**
 * Returns a page of items in the order of their positions. A cursor holds a position, so that the next page starts at the
 * right place even if the item was deleted.
 */
export function connection<T, N>(
  items: readonly T[],
  { first, after, last, before, reverse }: PageArguments,
  position: (item: T) => Position,
  show: (item: T) => N,
): Connection<N> {
  const forward = checked("first", first);
  const backward = checked("last", last);
  if (forward === undefined && backward === undefined) {
    throw badUserInput("you must provide one of first or last");
  }
  if (forward !== undefined && backward !== undefined) {
    throw badUserInput("providing both first and last is not supported");
  }
  const direction = reverse === true ? -1 : 1;
  const order = (left: Position, right: Position) => compare(left, right) * direction;
  const sorted = items.map((item) => ({ item, at: position(item) })).sort((left, right) => order(left.at, right.at));
  const from = after ? fromCursor(after) : undefined;
  const to = before ? fromCursor(before) : undefined;
  const within = sorted.filter(
    ({ at }) => (from === undefined || order(at, from) > 0) && (to === undefined || order(at, to) < 0),
  );
  const page = forward === undefined ? within.slice(-(backward ?? 0) || within.length) : within.slice(0, forward);
  const [start, end] = [page[0], page.at(-1)];
  const edges = page.map(({ item, at }) => ({ cursor: toCursor(at), node: show(item) }));
  return {
    edges,
    nodes: edges.map(({ node }) => node),
    pageInfo: {
      hasNextPage: end !== undefined && end !== sorted.at(-1),
      hasPreviousPage: start !== undefined && start !== sorted[0],
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

/** Returns the objects with these ids in the same order. */
export function nodesOf(ids: readonly string[], node: (id: string) => object | null): (object | null)[] {
  if (ids.length > IDS_MAXIMUM) {
    throw badUserInput(`The input array size of ${ids.length} is greater than the maximum allowed of ${IDS_MAXIMUM}.`);
  }
  return ids.map(node);
}
