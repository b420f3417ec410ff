/** The products of the test themes. Each has another form of link, like those of real stores. */
export interface Product {
  id: string;
  /** decoded, as in the service */
  handle: string;
  title: string;
  price: string;
  /** URL of the card's link */
  href: string;
  /** variant in the card's link */
  named?: string;
  badge?: string;
  hue: number;
  variants: { id: string; title: string; available: boolean }[];
}

interface Given {
  handle: string;
  title: string;
  /** `{variant}` stands for the second variant's id */
  href: string;
  badge?: string;
  /** the first variant is sold out */
  startsSoldOut?: boolean;
}

const GIVEN: Given[] = [
  { handle: "harbour-lamp", title: "Harbour lamp", href: "/products/harbour-lamp", startsSoldOut: true },
  {
    handle: "plate-large",
    title: "Large plate",
    href: "/products/plate-large?ref=plate&variant={variant}",
    badge: "-20%",
  },
  { handle: "oak-stool", title: "Oak stool", href: "/products/oak-stool/", badge: "Sale" },
  { handle: "linen-throw", title: "Linen throw", href: "/products/linen-throw?variant={variant}" },
  {
    handle: "größe-l-mütze",
    title: "Wool hat, size L",
    href: "/products/gr%C3%B6%C3%9Fe-l-m%C3%BCtze",
    badge: "New",
  },
  { handle: "手編みの籠", title: "Hand-woven basket", href: "/collections/home/products/手編みの籠" },
  { handle: "brass-hook", title: "Brass hook", href: "/fr/products/brass-hook?_pos=2&_ss=r", startsSoldOut: true },
  { handle: "plate", title: "Stoneware plate with a speckled glaze", href: "/products/plate#reviews" },
];

function product({ handle, title, href, badge, startsSoldOut = false }: Given, index: number): Product {
  const id = String(7001 + index);
  const variants = [1, 2, 3].map((number) => ({
    id: `${id}${number}`,
    title: `Option ${number}`,
    available: !(startsSoldOut && number === 1),
  }));
  const named = href.includes("{variant}") ? `${id}2` : undefined;
  return {
    id,
    handle,
    title,
    price: `€${19 + index * 7}.00`,
    href: href.replace("{variant}", `${id}2`),
    ...(named === undefined ? {} : { named }),
    ...(badge === undefined ? {} : { badge }),
    hue: (index * 47) % 360,
    variants,
  };
}

function plain(name: string, number: number, index: number): Product {
  const handle = `${name}-${number}`;
  return product(
    { handle, title: `${name[0]?.toUpperCase() ?? ""}${name.slice(1)} ${number}`, href: `/products/${handle}` },
    index,
  );
}

/** Initially on the collection page. */
export const SHOWN = GIVEN.map(product);
/** Added by "load more". */
export const MORE = [1, 2, 3, 4].map((number) => plain("vase", number, 20 + number));
/** Linked from menus and texts only, where hearts are wrong. */
export const ELSEWHERE = {
  first: plain("elsewhere", 1, 51),
  second: plain("elsewhere", 2, 52),
  third: plain("elsewhere", 3, 53),
  fourth: plain("elsewhere", 4, 54),
};
/** For the measurement of costs. */
export const MANY = Array.from({ length: 1000 }, (_, index) => plain("bowl", index + 1, 100 + index));

export const CATALOG = [...SHOWN, ...MORE, ...Object.values(ELSEWHERE), ...MANY];
