import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import pg from "pg";

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const SHOP_ID = Number(process.env["SHOP_ID"]);
const MAX_LIMIT = 200;

/** Reads a page as the JSON text of the response's data: `{"items":…,"count":…,"total":…,"has_more":…}`. */
export type ReadPage = (
  pool: pg.Pool,
  sendPage: { shopId: number; customerId: string; limit: number; offset: number },
) => Promise<string>;

const ROUTE = /^\/v1\/wishlists\/([^/?]+)(?:\/(items)(?:\/([^/?]+))?)?(?:\?(.*))?$/;

interface AddBody {
  product_id: string;
  variant_id: string;
}

function isAddBody(value: unknown): value is AddBody {
  return (
    typeof value === "object" &&
    value !== null &&
    "product_id" in value &&
    typeof value.product_id === "string" &&
    "variant_id" in value &&
    typeof value.variant_id === "string"
  );
}

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      resolve(Buffer.concat(chunks).toString());
    });
    request.on("error", reject);
  });
}

function send(response: ServerResponse, status: number, text: string): void {
  const body = Buffer.from(text);
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": body.byteLength,
  });
  response.end(body);
}

/** Starts a hand-written server for comparison: no framework, no authentication, prepared statements. */
export function bareServer(readPage: ReadPage): void {
  const pool = new pg.Pool({
    connectionString: process.env["DATABASE_URL"],
    max: Number(process.env["DATABASE_POOL_SIZE"]),
  });
  pool.on("error", () => undefined);

  async function addItem(customerId: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body: unknown = JSON.parse(await readBody(request));
    if (!isAddBody(body)) {
      send(response, 400, '{"ok":false}');
      return;
    }
    const { rows } = await pool.query<{ outcome: string; count_after: number }>({
      name: "add",
      text: "SELECT outcome, count_after FROM wishlist_add($1, 'customer', $2, $3, $4, 'api', $5)",
      values: [SHOP_ID, customerId, body.product_id, body.variant_id, new Date()],
    });
    const [row] = rows;
    if (!row || row.outcome === "full") send(response, 409, '{"ok":false}');
    else
      send(
        response,
        200,
        JSON.stringify({ ok: true, data: { added: row.outcome === "added", itemCount: row.count_after } }),
      );
  }

  async function removeItem(customerId: string, productId: string, response: ServerResponse): Promise<void> {
    const { rows } = await pool.query<{ removed_count: number; count_after: number }>({
      name: "remove",
      text: "SELECT removed_count, count_after FROM wishlist_remove($1, 'customer', $2, $3, NULL, 'api', $4)",
      values: [SHOP_ID, customerId, productId, new Date()],
    });
    const [row] = rows;
    const data = { removed: (row?.removed_count ?? 0) > 0, itemCount: row?.count_after ?? 0 };
    send(response, 200, JSON.stringify({ ok: true, data }));
  }

  async function sendPage(customerId: string, query: string, response: ServerResponse): Promise<void> {
    const parameters = new URLSearchParams(query);
    const limit = Number(parameters.get("limit") ?? 50);
    const offset = Number(parameters.get("offset") ?? 0);
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT || !Number.isInteger(offset) || offset < 0) {
      send(response, 400, '{"ok":false}');
      return;
    }
    send(response, 200, `{"ok":true,"data":${await readPage(pool, { shopId: SHOP_ID, customerId, limit, offset })}}`);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, customer, items, product, query] = ROUTE.exec(request.url ?? "") ?? [];
    if (customer === undefined) {
      send(response, 404, '{"ok":false}');
      return;
    }
    const customerId = decodeURIComponent(customer);
    if (request.method === "GET" && items === undefined) return sendPage(customerId, query ?? "", response);
    if (request.method === "POST" && items !== undefined && product === undefined) {
      return addItem(customerId, request, response);
    }
    if (request.method === "DELETE" && product !== undefined) {
      return removeItem(customerId, decodeURIComponent(product), response);
    }
    send(response, 404, '{"ok":false}');
  }

  createServer((request, response) => {
    handle(request, response).catch(() => {
      send(response, 500, '{"ok":false}');
    });
  }).listen(Number(process.env["PORT"]), "127.0.0.1");
  process.on("SIGTERM", () => process.exit(0));
}
