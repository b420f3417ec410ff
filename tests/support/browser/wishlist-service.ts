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
  variant_id: z.string().optional(),
  quantity: z.number().nullable().optional(),
  properties: z.record(z.string(), z.string()).nullable().optional(),
  productIds: z.array(z.string()).min(1).optional(),
  handles: z.array(z.string()).min(1).optional(),
  limit: z.number().optional(),
  offset: z.number().optional(),
  page: z.number().optional(),
  listId: z.string().optional(),
  name: z.string().optional(),
  event_id: z.string().min(1).optional(),
  items: z
    .array(z.object({ product_id: z.string(), variant_id: z.string() }))
    .min(1)
    .optional(),
});
type Body = z.infer<typeof bodyShape>;

const alertShape = z.strictObject({
  productId: z.string(),
  variantId: z.string(),
  kind: z.enum(["back_in_stock", "price_dropped"]),
  targetPrice: z.string().optional(),
  email: z.string().optional(),
  locale: z.string().optional(),
});

class JsonResponse {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    this.status = status;
    this.body = body;
  }
}

function refuse(status: number, code: string): JsonResponse {
  return new JsonResponse(200, { ok: false, error: { code, message: code, requestId: "req_1", status } });
}

/** A test double of the service: the app proxy's API for themes, over lists in memory. */
export class WishlistService {
  /** variants of default lists by owner: `customer 1`, `guest …` */
  readonly lists = new Map<string, Set<string>>();
  /** named lists by owner */
  readonly named = new Map<string, { listId: string; name: string; variants: Set<string> }[]>();
  /** whether the store offers named lists */
  offersLists = false;
  readonly mergedGuests = new Set<string>();
  /** requests in order of arrival */
  requests: { path: string; body: Record<string, unknown> }[] = [];
  /** responses that replace the next one to a path */
  readonly refusals = new Map<
    string,
    { status: number; code: string; retryAfter?: number; details?: { path: string; problem: string }[] }
  >();
  /** what became of the next line of the cart, unless it was added: of an item that was saved already */
  savedLine: { outcome: string; before: object } | undefined;
  /** delays the responses until it resolves */
  gate: Promise<void> = Promise.resolve();

  readonly #catalog: Products;

  constructor(catalog: Products) {
    this.#catalog = catalog;
  }

  /** Responds to a request that the storefront's app proxy forwards. */
  async respond(request: Request): Promise<Response> {
    const url = new URL(request.url);
    if (url.pathname === "/proxy/alerts/ask") {
      this.requests.push({ path: "alerts/ask", body: Object.fromEntries(new URLSearchParams(await request.text())) });
      return new Response("<h1>Check your inbox</h1>", { headers: { "content-type": "text/html" } });
    }
    const path = /^\/proxy\/api\/([\w-]+)$/.exec(url.pathname)?.[1];
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
      return Response.json({ ok: false, error: refusal });
    }
    const response = this.response(path, body, url.searchParams.get("logged_in_customer_id") ?? "");
    return Response.json(response.body, { status: response.status });
  }

  /** Creates a named list. */
  createList(owner: string, name: string, ...variants: string[]): string {
    const of = this.named.get(owner) ?? [];
    const listId = `lst_${of.length + 1}`;
    this.named.set(owner, [...of, { listId, name, variants: new Set(variants) }]);
    return listId;
  }

  /** Returns the variants on a named list of the owner. */
  savedIn(owner: string, listId: string): string[] {
    return [...(this.named.get(owner)?.find((list) => list.listId === listId)?.variants ?? [])];
  }

  #count(owner: string): number {
    const named = this.named.get(owner) ?? [];
    return new Set([...this.saved(owner), ...named.flatMap(({ variants }) => [...variants])]).size;
  }

  /** Returns the variants on the owner's default list. */
  saved(owner: string): string[] {
    return [...(this.lists.get(owner) ?? [])];
  }

  save(owner: string, ...variants: string[]): void {
    this.lists.set(owner, new Set([...this.saved(owner), ...variants]));
  }

  response(path: string, given: unknown, customer: string): JsonResponse {
    if (path === "askForAlert") {
      const { email } = alertShape.parse(given);
      if ((email === undefined) === (customer === "")) return refuse(422, "validation_failed");
      return new JsonResponse(200, { ok: true, data: { state: customer === "" ? "confirm" : "active" } });
    }
    const body = bodyShape.parse(given);
    if (path === "merge" && customer === "") return refuse(401, "login_required");
    if (customer === "" && body.guestId === undefined && !["list", "saved"].includes(path)) {
      return refuse(401, "login_required");
    }
    if (path === "saved" && !body.productIds && !body.handles) return refuse(400, "invalid_request");
    if (customer === "" && this.mergedGuests.has(body.guestId ?? "")) return refuse(410, "guest_merged");
    const owner = customer === "" ? `guest ${body.guestId ?? ""}` : `customer ${customer}`;
    const more = this.#perform(path, body, owner);
    if (more instanceof JsonResponse) return more;
    const tag = customer === "" ? "guest" : `tag-of-${customer}`;
    return new JsonResponse(200, { ok: true, data: { ...more, itemCount: this.#count(owner), owner: tag } });
  }

  #perform(path: string, body: Body, owner: string): JsonResponse | Record<string, unknown> {
    switch (path) {
      case "list":
        return { items: this.saved(owner).map((variantId) => ({ productId: variantId.slice(0, -1), variantId })) };
      case "saved":
        return { saved: this.#lookUp(body, owner) };
      case "merge":
        return { merged: true, addedCount: this.#merge(body.guestId ?? "", owner), saved: this.#lookUp(body, owner) };
      case "recordCart":
        return { recorded: body.items?.length ?? 0 };
      case "lists":
        return this.#showLists(body, owner);
      case "createList": {
        if (this.named.get(owner)?.some(({ name }) => name === body.name)) return refuse(409, "list_name_taken");
        const { name = "" } = body;
        return { listId: this.createList(owner, name), name };
      }
      case "updateListItem":
        return { updated: true };
      case "saveLine": {
        const saved = this.#change(path, body, owner);
        const { outcome, before } = this.savedLine ?? {
          outcome: "added",
          before: { quantity: null, properties: null },
        };
        return saved instanceof JsonResponse ? saved : { outcome, before, listCount: saved["listCount"] };
      }
      default:
        return this.#change(path, body, owner);
    }
  }

  #change(path: string, body: Body, owner: string): JsonResponse | Record<string, unknown> {
    const product = this.#catalog.find(({ id, handle }) => id === body.productId || handle === body.handle);
    if (product === undefined) return refuse(404, "product_not_found");
    const named = this.named.get(owner)?.find(({ listId }) => listId === body.listId);
    const list = named?.variants ?? new Set(this.saved(owner));
    if (!named) this.lists.set(owner, list);
    if (path === "remove") {
      const gone = body.variantId === undefined ? product.variants.map(({ id }) => id) : [body.variantId];
      return { removed: gone.filter((id) => list.delete(id)).length > 0, listCount: list.size };
    }
    const [first] = product.variants;
    const selected = product.variants.find(({ available = true }) => available) ?? first;
    const variantId = body.variantId ?? selected?.id ?? "";
    const added = !list.has(variantId);
    list.add(variantId);
    return { added, productId: product.id, variantId, listCount: list.size, choosesLists: this.offersLists };
  }

  #showLists({ productId = "", variantId }: Body, owner: string): Record<string, unknown> {
    const isContained = (variant: string): boolean =>
      variantId === undefined ? variant.startsWith(productId) : variant === variantId;
    const named = this.named.get(owner) ?? [];
    return {
      lists: [
        { listId: "default", name: null, contains: this.saved(owner).some(isContained) },
        ...named.map(({ listId, name, variants }) => ({ listId, name, contains: [...variants].some(isContained) })),
      ],
      canCreate: this.offersLists,
    };
  }

  #merge(guest: string, owner: string): number {
    const before = this.saved(owner).length;
    if (!this.mergedGuests.has(guest)) this.save(owner, ...this.saved(`guest ${guest}`));
    this.lists.delete(`guest ${guest}`);
    this.mergedGuests.add(guest);
    return this.saved(owner).length - before;
  }

  #lookUp({ productIds = [], handles = [] }: Body, owner: string): unknown[] {
    const all = [{ listId: "default", variants: new Set(this.saved(owner)) }, ...(this.named.get(owner) ?? [])];
    return this.#catalog.flatMap(({ id, handle, variants }) => {
      const variantIds = variants
        .map((variant) => variant.id)
        .filter((variant) => all.some((list) => list.variants.has(variant)));
      if (variantIds.length === 0) return [];
      const listIds = all.flatMap((list) => (variantIds.some((one) => list.variants.has(one)) ? list.listId : []));
      const found = { variantIds, ...(listIds.some((one) => one !== "default") && { listIds }) };
      if (handles.includes(handle)) return [{ productId: id, handle, ...found }];
      return productIds.includes(id) ? [{ productId: id, ...found }] : [];
    });
  }
}
