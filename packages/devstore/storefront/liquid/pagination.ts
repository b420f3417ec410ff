interface Part {
  title: string;
  url: string;
  is_link: boolean;
}

/** Number of linked pages on each side of the current one. */
const NEIGHBOURS = 1;

/** Returns the items of a page, with Shopify's `paginate` object. */
export function paginated(all: readonly unknown[], wanted: number, size: number, pathname: string) {
  const pages = Math.max(1, Math.ceil(all.length / size));
  const page = Math.min(Math.max(1, Math.trunc(wanted) || 1), pages);
  const link = (number: number): Part => ({
    title: String(number),
    url: `${pathname}?page=${number}`,
    is_link: number !== page,
  });
  const parts: Part[] = [];
  for (let number = 1; number <= pages; number++) {
    if (number === 1 || number === pages || Math.abs(number - page) <= NEIGHBOURS) parts.push(link(number));
    else if (parts.at(-1)?.title !== "…") parts.push({ title: "…", url: "", is_link: false });
  }
  return {
    items: all.slice((page - 1) * size, page * size),
    paginate: {
      current_page: page,
      current_offset: (page - 1) * size,
      items: all.length,
      page_size: size,
      pages,
      parts: pages > 1 ? parts : [],
      previous: page > 1 ? { ...link(page - 1), title: "«" } : undefined,
      next: page < pages ? { ...link(page + 1), title: "»" } : undefined,
    },
  };
}
