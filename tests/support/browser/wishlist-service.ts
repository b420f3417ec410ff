import { z } from "zod";

export const products = Array.from({ length: 60 }, (_, index) => ({
  id: String(9001 + index),
  handle: `trail-shoe-${index + 1}`,
  title: `Trail shoe ${index + 1}`,
  variants: [1, 2].map((number) => ({ id: `${9001 + index}${number}`, title: `Size ${40 + number}` })),
}));

/** Products of a store. Variants are available by default. */
export type Products = readonly {
  id: string;
  handle: string;
  title?: string;
  variants: readonly { id: string; title?: string; available?: boolean }[];
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

class JsonResponse {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    this.status = status;
    this.body = body;
  }
}

function refuse(status: number, code: string): JsonResponse {
  return new JsonResponse(status, { ok: false, error: { code, message: code, requestId: "req_1" } });
}

/** A test double of the service: the app proxy's API for themes, over lists in memory. */
export class WishlistService {
  /** variants by owner: `customer 1`, `guest …` */
  readonly lists = new Map<string, Set<string>>();
  readonly mergedGuests = new Set<string>();
  /** requests in order of arrival */
  requests: { path: string; body: Record<string, unknown> }[] = [];
  /** responses that replace the next one to a path */
  readonly refusals = new Map<string, { status: number; code: string; headers?: Record<string, string> }>();
  /** delays the responses until it resolves */
  gate: Promise<void> = Promise.resolve();

  readonly #catalog: Products;

  constructor(catalog: Products) {
    this.#catalog = catalog;
  }

  /** Responds to a request that the storefront's app proxy forwards. */
  async respond(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const path = /^\/proxy\/api\/(\w+)$/.exec(url.pathname)?.[1];
    if (path === undefined) return new Response("Not found", { status: 404 });
    const body = z.record(z.string(), z.unknown()).parse(await request.json());
    this.requests.push({ path, body });
    const refusal = this.refusals.get(path);
    this.refusals.delete(path);
    await this.gate;
    if (path === "page") {
      return new Response(`<h2>My list</h2><script>document.body.dataset.fragmentRan = "yes";</script>`, {
        headers: { "content-type": "text/html" },
      });
    }
    if (refusal !== undefined) {
      const { status, code, headers = {} } = refusal;
      return Response.json({ ok: false, error: { code } }, { status, headers });
    }
    const response = this.response(path, body, url.searchParams.get("logged_in_customer_id") ?? "");
    return Response.json(response.body, { status: response.status });
  }

  /** Returns the variants on the owner's list. */
  saved(owner: string): string[] {
    return [...(this.lists.get(owner) ?? [])];
  }

  save(owner: string, ...variants: string[]): void {
    this.lists.set(owner, new Set([...this.saved(owner), ...variants]));
  }

  response(path: string, given: unknown, customer: string): JsonResponse {
    const body = bodyShape.parse(given);
    if (path === "merge" && customer === "") return refuse(401, "login_required");
    if (customer === "" && body.guestId === undefined && !["list", "saved"].includes(path)) {
      return refuse(401, "login_required");
    }
    if (path === "saved" && !body.productIds && !body.handles) return refuse(400, "invalid_request");
    if (customer === "" && this.mergedGuests.has(body.guestId ?? "")) return refuse(410, "guest_folded");
    const owner = customer === "" ? `guest ${body.guestId ?? ""}` : `customer ${customer}`;
    const more = this.#perform(path, body, owner);
    if (more instanceof JsonResponse) return more;
    const tag = customer === "" ? "guest" : `tag-of-${customer}`;
    return new JsonResponse(200, { ok: true, data: { ...more, itemCount: this.saved(owner).length, owner: tag } });
  }

  #perform(path: string, body: Body, owner: string): JsonResponse | Record<string, unknown> {
    switch (path) {
      case "list":
        return { items: this.saved(owner).map((variantId) => ({ productId: variantId.slice(0, -1), variantId })) };
      case "saved":
        return { saved: this.#lookUp(body, owner) };
      case "merge":
        return { merged: true, addedCount: this.#merge(body.guestId ?? "", owner), saved: this.#lookUp(body, owner) };
      case "cart":
        return { recorded: body.items?.length ?? 0 };
      default:
        return this.#change(path, body, owner);
    }
  }

  #change(path: string, body: Body, owner: string): JsonResponse | Record<string, unknown> {
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

  #merge(guest: string, owner: string): number {
    const before = this.saved(owner).length;
    if (!this.mergedGuests.has(guest)) this.save(owner, ...this.saved(`guest ${guest}`));
    this.lists.delete(`guest ${guest}`);
    this.mergedGuests.add(guest);
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
