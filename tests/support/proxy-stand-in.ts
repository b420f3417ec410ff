import { z } from "zod";

/** The app proxy's JSON for the theme, as the service promises it, over lists in memory. */

export const products = Array.from({ length: 60 }, (_, index) => ({
  id: String(9001 + index),
  handle: `trail-shoe-${index + 1}`,
  title: `Trail shoe ${index + 1}`,
  variants: [1, 2].map((number) => ({ id: `${9001 + index}${number}`, title: `Size ${40 + number}` })),
}));

/** What the service knows of the store's products. A variant that is not said to be sold out is available. */
export type Catalog = readonly {
  id: string;
  handle: string;
  variants: readonly { id: string; available?: boolean }[];
}[];

const bodyShape = z.strictObject({
  guestId: z
    .string()
    .regex(/^[\w-]{22,64}$/)
    .optional(),
  productId: z.string().optional(),
  handle: z.string().optional(),
  variantId: z.string().optional(),
  productIds: z.array(z.string()).min(1).optional(),
  handles: z.array(z.string()).min(1).optional(),
  limit: z.number().optional(),
  offset: z.number().optional(),
  page: z.number().optional(),
  eventId: z.string().min(1).optional(),
  items: z
    .array(z.object({ productId: z.string(), variantId: z.string() }))
    .min(1)
    .optional(),
});
type Body = z.infer<typeof bodyShape>;

export class Said {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    this.status = status;
    this.body = body;
  }
}

function refuse(status: number, code: string): Said {
  return new Said(status, { ok: false, error: { code, message: code, requestId: "req_1" } });
}

export class ProxyStandIn {
  /** variants by owner: `customer 1`, `guest …` */
  readonly lists = new Map<string, Set<string>>();
  readonly folded = new Set<string>();

  readonly #catalog: Catalog;

  constructor(catalog: Catalog = products) {
    this.#catalog = catalog;
  }

  /** What the owner has saved, as variant ids. */
  saved(owner: string): string[] {
    return [...(this.lists.get(owner) ?? [])];
  }

  save(owner: string, ...variants: string[]): void {
    this.lists.set(owner, new Set([...this.saved(owner), ...variants]));
  }

  answer(path: string, given: unknown, customer: string): Said {
    const body = bodyShape.parse(given);
    if (path === "merge" && customer === "") return refuse(401, "login_required");
    if (customer === "" && body.guestId === undefined && !["list", "saved"].includes(path)) {
      return refuse(401, "login_required");
    }
    if (path === "saved" && !body.productIds && !body.handles) return refuse(400, "invalid_request");
    if (customer === "" && this.folded.has(body.guestId ?? "")) return refuse(410, "guest_folded");
    const owner = customer === "" ? `guest ${body.guestId ?? "nobody"}` : `customer ${customer}`;
    const more = this.#perform(path, body, owner);
    if (more instanceof Said) return more;
    const tag = customer === "" ? "guest" : `tag-of-${customer}`;
    return new Said(200, { ok: true, data: { ...more, itemCount: this.saved(owner).length, owner: tag } });
  }

  #perform(path: string, body: Body, owner: string): Said | Record<string, unknown> {
    switch (path) {
      case "list":
        return { items: this.saved(owner).map((variantId) => ({ productId: variantId.slice(0, -1), variantId })) };
      case "saved":
        return { saved: this.#lookUp(body, owner) };
      case "merge":
        return { merged: true, addedCount: this.#fold(body.guestId ?? "", owner), saved: this.#lookUp(body, owner) };
      case "cart":
        return { recorded: body.items?.length ?? 0 };
      default:
        return this.#change(path, body, owner);
    }
  }

  #change(path: string, body: Body, owner: string): Said | Record<string, unknown> {
    const product = this.#catalog.find(({ id, handle }) => id === body.productId || handle === body.handle);
    if (product === undefined) return refuse(404, "product_not_found");
    const list = new Set(this.saved(owner));
    this.lists.set(owner, list);
    if (path === "remove") {
      const gone = body.variantId === undefined ? product.variants.map(({ id }) => id) : [body.variantId];
      return { removed: gone.filter((id) => list.delete(id)).length > 0 };
    }
    const [first] = product.variants;
    const selected = product.variants.find(({ available = true }) => available) ?? first;
    const variantId = body.variantId ?? selected?.id ?? "";
    const added = !list.has(variantId);
    list.add(variantId);
    return { added, productId: product.id, variantId };
  }

  #fold(guest: string, owner: string): number {
    const before = this.saved(owner).length;
    if (!this.folded.has(guest)) this.save(owner, ...this.saved(`guest ${guest}`));
    this.lists.delete(`guest ${guest}`);
    this.folded.add(guest);
    return this.saved(owner).length - before;
  }

  #lookUp({ productIds = [], handles = [] }: Body, owner: string): unknown[] {
    const list = this.saved(owner);
    return this.#catalog.flatMap(({ id, handle, variants }) => {
      const variantIds = variants.map((variant) => variant.id).filter((variant) => list.includes(variant));
      if (variantIds.length === 0) return [];
      if (handles.includes(handle)) return [{ productId: id, handle, variantIds }];
      return productIds.includes(id) ? [{ productId: id, variantIds }] : [];
    });
  }
}
