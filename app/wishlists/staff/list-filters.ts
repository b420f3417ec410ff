import { z } from "zod";

// The filters and the order of the admin's index of wishlists, as its address has them. Names, emails and guest ids are not among them: browsers and
// logs keep addresses.

export const OWNERS = ["customer", "guest"] as const;
export const KINDS = ["default", "named"] as const;
/** Last activity: within the last days, or before them. */
export const ACTIVITY = ["7d", "30d", "90d", "before-90d"] as const;
export const SORTS = ["activity", "value", "items", "stock"] as const;
export const DIRECTIONS = ["desc", "asc"] as const;

export type Sort = (typeof SORTS)[number];

const amount = z.string().regex(/^\d{1,12}(\.\d{1,3})?$/);

const filterShape = {
  owner: z.enum(OWNERS),
  kind: z.enum(KINDS),
  /** with items that are out of stock */
  stock: z.literal("out"),
  /** with items that cost less than when they were saved */
  price: z.literal("dropped"),
  /** whose owner has asked for alerts */
  alerts: z.literal("on"),
  /** with a share link that works */
  shared: z.literal("on"),
  activity: z.enum(ACTIVITY),
  /** bounds of the value, in the shop's currency */
  min: amount,
  max: amount,
};

const viewShape = { ...filterShape, sort: z.enum(SORTS), direction: z.enum(DIRECTIONS) };

export type FilterName = keyof typeof filterShape;
type ViewName = keyof typeof viewShape;
export type ListFilters = { [Name in FilterName]?: z.infer<(typeof filterShape)[Name]> | undefined };

/** Filters and order. */
export interface ListQuery {
  filters: ListFilters;
  sort: Sort;
  direction: (typeof DIRECTIONS)[number];
}

/** Lists by their numbers; without any, all that match. */
export interface ListSelection {
  query: ListQuery;
  lists: readonly string[];
}

const viewSchema = z.object(viewShape).partial();
const VIEW_NAMES = viewSchema.keyof().options;
export const FILTER_NAMES = z.object(filterShape).keyof().options;

/**
 * Reads filters and order from the query of an address.
 * @returns `ignored`: the parameters whose values are none of this page's, which count as absent
 */
export function parseListQuery(query: URLSearchParams): ListQuery & { ignored: ViewName[] } {
  const given = Object.fromEntries(VIEW_NAMES.flatMap((name) => (query.has(name) ? [[name, query.get(name)]] : [])));
  const checked = viewSchema.safeParse(given);
  const ignored = VIEW_NAMES.filter((name) => checked.error?.issues.some(({ path }) => path[0] === name));
  const valid = Object.fromEntries(Object.entries(given).filter(([name]) => !ignored.some((one) => one === name)));
  const { sort = "activity", direction = "desc", ...filters } = viewSchema.parse(valid);
  return { filters, sort, direction, ignored };
}

/** Writes filters and order as the query of an address, always in the same way. The default order is left out. */
export function toSearch({ filters, sort, direction }: ListQuery): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of FILTER_NAMES) {
    const value = filters[name];
    if (value !== undefined) query.set(name, value);
  }
  if (sort !== "activity" || direction !== "desc") {
    query.set("sort", sort);
    query.set("direction", direction);
  }
  return query;
}

/** The most lists that staff export or tag the customers of at once. Those of the whole shop are exported under Settings. */
export const INDEX_EXPORT_LISTS = 10_000;

/** Lists on a page of the index, and the most that can be selected one by one. */
export const INDEX_PAGE = 50;

/** Views that a shop can have. */
export const MAX_VIEWS = 20;
/** Characters of a view's name, as Polaris' field for it. */
export const VIEW_NAME_LENGTH = 40;

/** Filters and order that staff have saved under a name. */
export interface SavedView {
  id: string;
  name: string;
  /** query of the index's address, as `toSearch` writes it */
  search: string;
}

/**
 * Returns the saved view that an address shows: the one that it names, whose filters may differ from the address's until they are saved, or the one with
 * the filters and order of the address. A view that doesn't exist counts as absent.
 */
export function viewOf(address: URLSearchParams, views: readonly SavedView[]): SavedView | undefined {
  const named = views.find(({ id }) => id === address.get("view"));
  const search = toSearch(parseListQuery(address)).toString();
  return named ?? (search === "" ? undefined : views.find((view) => view.search === search));
}

/** Returns the address of a saved view. */
export function viewPath({ id, search }: Pick<SavedView, "id" | "search">): string {
  return indexPath(parseListQuery(new URLSearchParams(search)), { view: id });
}

/** Returns the address of the index with filters, order and what else its query has. */
export function indexPath(query: ListQuery, extra: Readonly<Record<string, string>> = {}): string {
  const search = toSearch(query);
  for (const [name, value] of Object.entries(extra)) search.set(name, value);
  return search.size === 0 ? "/app/wishlists" : `/app/wishlists?${search}`;
}

/** Where a page begins: behind or before a list, given by the value by which lists are sorted and by its number. */
export interface Cursor {
  key: string;
  id: string;
  /** whether the page is the one before the list */
  back: boolean;
}

/** The values by which lists are sorted: milliseconds, an amount, a count. */
const KEYS: Record<Sort, RegExp> = {
  activity: /^\d{1,14}$/,
  value: /^\d{1,22}(\.\d{1,9})?$/,
  items: /^\d{1,9}$/,
  stock: /^\d{1,9}$/,
};

/** Reads the cursor of an address; an invalid one means the first page. */
export function parseCursor(query: URLSearchParams, sort: Sort): Cursor | undefined {
  const name = query.has("before") ? "before" : "after";
  const [key = "", id = ""] = (query.get(name) ?? "").split("_");
  return KEYS[sort].test(key) && /^[1-9]\d{0,14}$/.test(id) ? { key, id, back: name === "before" } : undefined;
}
