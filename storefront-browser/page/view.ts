/** The id of a named list. */
const LIST = /^lst_\w+$/;
/** The most characters of a search. */
const LONGEST = 100;

/** The part and the order of the list that is shown. */
export interface View {
  /** undefined for the default list */
  list: string | undefined;
  /** from 1 */
  page: number;
  /** undefined for the default order */
  sort: string | undefined;
  available: boolean;
  /** what is searched for; undefined for all items */
  q: string | undefined;
}

/** Returns what a root shows. */
export function viewOf(root: HTMLElement): View {
  const { list, page, sort, available, q } = root.dataset;
  return { list, page: Number(page) || 1, sort, available: Boolean(available), q };
}

/** Returns what the query of an address asks for. */
export function viewOfQuery(query: string): View {
  const fields = new URLSearchParams(query);
  const q = fields.get("q")?.trim();
  const [list, sort] = [fields.get("list"), fields.get("sort")];
  return {
    list: list && LIST.test(list) ? list : undefined,
    page: Number(fields.get("page")) || 1,
    sort: sort && sort !== "newest" ? sort : undefined,
    available: Boolean(fields.get("available")),
    q: q && q.length <= LONGEST ? q : undefined,
  };
}

/** Tells whether two views show the same items in the same order; of one list, on any page. */
export function isArrangedAlike(one: View, other: View): boolean {
  return one.sort === other.sort && one.available === other.available && one.q === other.q;
}

export function isSameView(one: View, other: View): boolean {
  return one.list === other.list && one.page === other.page && isArrangedAlike(one, other);
}

export function viewInAddress(): View {
  return viewOfQuery(location.search);
}

/** Puts a view into the address, so that going back leads to the view before. */
export function pushView({ list, page, sort, available, q }: View): void {
  const address = new URL(location.href);
  for (const [name, value] of Object.entries({ list, page: page > 1 && page, sort, available: available && 1, q })) {
    if (value) address.searchParams.set(name, String(value));
    else address.searchParams.delete(name);
  }
  if (address.href !== location.href) history.pushState(null, "", address);
}
