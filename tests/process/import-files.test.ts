import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTasks } from "../../app/platform/jobs/task-runner.server.ts";
import { stopAll } from "../../app/platform/process/lifecycle.server.ts";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { provideSettings } from "../../app/platform/process/env.server.ts";
import { eraseCustomer } from "../../app/privacy/index.server.ts";
import {
  addItem,
  changeItem,
  createList,
  deleteList,
  exportLists,
  guestOwner,
  importTask,
  mergeItems,
  readLists,
  updateList,
  type ListRef,
  type Owner,
} from "../../app/wishlists/index.server.ts";
import { newItemDetails } from "../../app/wishlists/items/details.ts";
import { listNameSchema, nameKey } from "../../app/wishlists/lists/names.ts";
import { customerIdSchema } from "../../app/wishlists/identifiers.ts";
import { client, type Call } from "../support/app/client.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { check, csvFile, customersFile, exported, importFile, SAVED_AT, unwrap } from "../support/app/imports.ts";
import { randomRuns } from "../support/matrix.ts";
import { startService, type Service } from "../support/app/service.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";

const LOOPBACK = { NODE_ENV: "test", WEBHOOKS_ALLOW_LOOPBACK: "1" };

let database: TestDatabase;
let service: Service;
let call: Call;
let shop: TestShop;

beforeAll(async () => {
  database = await createDatabase();
  service = await startService({ database, env: { ...LOOPBACK, WISHLIST_ROLE: "web" } });
  call = client(service.url);
  provideSettings({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: "5" });
  // Tasks run in this process, so that they start immediately.
  startTasks([importTask]);
});
afterAll(async () => {
  await stopAll();
  await closeDatabase();
  await service.dispose();
  await database.drop();
});
beforeEach(async () => {
  shop = await makeShop(service, call);
});

function add(owner: string, product: string, variant = "v"): Promise<unknown> {
  return addItem({ shopId: shop.id, kind: "customer", id: owner }, { productId: product, variantId: variant }, "api");
}

describe("an import file with errors", () => {
  const good = `customer,c1,p1,v,${SAVED_AT}`;
  test.each<[what: string, file: string | Buffer, problems: unknown[], items: number]>([
    [
      "a mark of its encoding, CRLF and empty lines",
      `\uFEFF${csvFile("", good, "", "").replaceAll("\n", "\r\n")}`,
      [],
      1,
    ],
    ["semicolons", csvFile(good).replaceAll(",", ";"), [], 1],
    [
      "a quoted line break in an id",
      csvFile(`customer,"c\n1",p1,v,${SAVED_AT}`, good),
      ["2 owner_id: must be 1 to 255 visible ASCII characters (no spaces or control characters)"],
      1,
    ],
    ["a missing field", csvFile("customer,c1,p1,v", good), ["2 : has 4 fields, and the first line names 5"], 1],
    [
      "a stray quote",
      csvFile(`customer,"c"1,p1,v,${SAVED_AT}`, good),
      ["2 : has a quote that does not enclose a whole field"],
      1,
    ],
    [
      "a quote that is not closed",
      csvFile(`customer,"c1,p1,v,${SAVED_AT}`, good),
      ["2 : has a quote that is not closed"],
      1,
    ],
    [
      "a huge line",
      csvFile(`customer,${"x".repeat(2_000_000)},p1,v,${SAVED_AT}`, good),
      ["2 : is longer than any item can be"],
      1,
    ],
    [
      "bytes that are no UTF-8",
      Buffer.concat([
        Buffer.from(csvFile("customer,c")),
        Buffer.from([0xe9]),
        Buffer.from(`,p1,v,${SAVED_AT}\n${good}`),
      ]),
      ["2 : is not in UTF-8"],
      1,
    ],
    [
      "a time without zone",
      csvFile("customer,c1,p1,v,2026-11-20 09:30", good),
      [expect.stringContaining("2 added_at: must be an ISO 8601 time")],
      1,
    ],
    ["no such kind of owner", csvFile(`staff,c1,p1,v,${SAVED_AT}`, good), ["2 owner: must be customer or guest"], 1],
    [
      "a guest who is no hash",
      csvFile(`guest,c1,p1,v,${SAVED_AT}`, good),
      [expect.stringContaining("2 owner_id: must be a guest")],
      1,
    ],
    [
      "ids of other things",
      csvFile(`customer,gid://shopify/Order/1,gid://shopify/Customer/1,v,${SAVED_AT}`, good),
      [
        expect.stringContaining("2 owner_id: is the id of a Order"),
        expect.stringContaining("2 product_id: is the id of a Customer"),
      ],
      1,
    ],
    [
      "details that spreadsheets or people have broken",
      `owner_id,product_id,variant_id,added_at,list_name,quantity,note,properties,position
c1,p1,v,${SAVED_AT},${"n".repeat(101)},0,${"x".repeat(501)},{oops},1;5
c1,p1,v,${SAVED_AT},,,,,
c1,,,,${"n".repeat(101)},,,,
c1,,,,,,,,`,
      [
        "2 list_name: must have at most 100 characters",
        "2 note: must have at most 500 characters",
        "2 position: must be a number from -1000000000 to 1000000000",
        '2 properties: must be a JSON object of texts, such as {"Engraving":"A. L."}',
        "2 quantity: must be a whole number from 1 to 999",
        "4 list_name: must have at most 100 characters",
        "5 added_at: must be an ISO 8601 time with its zone, such as 2026-11-20T09:30:00.000Z",
        "5 product_id: must be 1 to 255 visible ASCII characters (no spaces or control characters)",
        "5 variant_id: must be 1 to 255 visible ASCII characters (no spaces or control characters)",
      ],
      1,
    ],
    ...["12,50", "-1", "EUR 12", "1.2345", "1e3", "1".repeat(19)].map((price): [string, string, unknown[], number] => [
      `the price ${price}`,
      `owner_id;product_id;variant_id;added_at;saved_price\nc1;p1;v;${SAVED_AT};${price}\nc1;p1;v;${SAVED_AT};12.5`,
      ["2 saved_price: must be an amount without currency, such as 129.00"],
      1,
    ]),
    ["a script", csvFile(`customer,<script>alert(1)</script> ,p1,v,${SAVED_AT}`, good), [], 2],
  ])("%s: reports line and problem and reads the other lines", async (_, file, problems, items) => {
    expect(await check(shop.id, file)).toMatchObject({ status: "ready", problems, items });
  });

  test.each<[what: string, file: string, problems: unknown[]]>([
    ["no JSON", "{]", ["1 : is not a JSON object"]],
    ["an array", "[1]", ["1 : is not a JSON object"]],
    [
      "a number for an id",
      `{"ownerId":7,"productId":"p","variantId":"v","addedAt":"${SAVED_AT}"}`,
      ["1 ownerId: is missing or not a string"],
    ],
    [
      "nothing",
      "{}",
      ["addedAt", "ownerId", "productId", "variantId"].map((field) => `1 ${field}: is missing or not a string`),
    ],
    [
      "a field too many",
      `{"ownerId":"7","productId":"p","variantId":"v","addedAt":"${SAVED_AT}","colour":1}`,
      [expect.stringContaining("1 : has unknown fields")],
    ],
    [
      "details of other types",
      `{"ownerId":"7","productId":"p","variantId":"v","addedAt":"${SAVED_AT}","quantity":"2","note":1,"properties":[],"position":"a"}`,
      [
        "1 note: is missing or not a string",
        "1 position: must be a number from -1000000000 to 1000000000",
        '1 properties: must be a JSON object of texts, such as {"Engraving":"A. L."}',
        "1 quantity: must be a whole number from 1 to 999",
      ],
    ],
    [
      "a list without a name",
      `{"ownerId":"7","productId":"p","variantId":"v","addedAt":"${SAVED_AT}","listId":"lst_1"}`,
      ["1 listName: is missing; every list except the default list needs a name"],
    ],
    [
      "an empty list with another field",
      '{"ownerId":"7","listName":"Birthday","colour":1}',
      [expect.stringContaining("1 : has unknown fields")],
    ],
    [
      "an empty list of a guest who is no hash",
      '{"owner":"guest","ownerId":"7","listName":"Birthday"}',
      [expect.stringContaining("1 ownerId: must be a guest")],
    ],
    [
      "a list with details instead of items",
      '{"ownerId":"7","listName":"Birthday","note":"x"}',
      ["addedAt", "productId", "variantId"].map((field) => `1 ${field}: is missing or not a string`),
    ],
    ...[" ", "\u200b", "two\u0001parts", "a\u202eb", "\u2066x", "a\u2028b", "\ud83c"].map(
      (listName): [string, string, unknown[]] => [
        `the list name ${JSON.stringify(listName)}`,
        JSON.stringify({ ownerId: "7", listName }),
        [expect.stringMatching(/^1 listName: (?:must not be empty|has control characters)/)],
      ],
    ),
    [
      "a prototype",
      `{"__proto__":{"ownerId":"7"},"productId":"p","variantId":"v","addedAt":"${SAVED_AT}"}`,
      [expect.stringContaining("1 :"), expect.stringContaining("1 ownerId")],
    ],
  ])("in NDJSON, %s: reports line and problem", async (_, file, problems) => {
    const fileName = "lists.ndjson";
    const good = `{"owner":"customer","ownerId":"c","productId":"p","variantId":"v","addedAt":"${SAVED_AT}"}`;
    expect(await check(shop.id, `${file}\n${good}`, { fileName })).toMatchObject({
      problems,
      items: 1,
      rowsRead: 2,
      rowsInvalid: 1,
    });
  });

  test.each<[what: string, file: string | Buffer, reason: string]>([
    ["the wrong columns", "a,b,c\n1,2,3", "The first line must name the columns"],
    ["UTF-16", Buffer.from(`\uFEFF${csvFile(good)}`, "utf16le"), "The file is not in UTF-8"],
    ["UTF-16 without a mark", Buffer.from(csvFile(good), "utf16le"), "The file is not in UTF-8"],
    ["nothing but empty lines", "\n\r\n", "The file has no lines"],
    ["a picture", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]), "The file is not in UTF-8"],
  ])("that is unreadable because of %s fails with the reason and allows another import", async (_, file, reason) => {
    const found = await check(shop.id, file);
    expect(found).toMatchObject({ status: "failed", failedReason: expect.stringContaining(reason) });
    expect(await check(shop.id, csvFile(good))).toMatchObject({ status: "ready", itemsNew: 1 });
  });
});

describe("an export", () => {
  const id = fc
    .oneof(
      fc.string({
        unit: fc.constantFrom(...Array.from({ length: 94 }, (_, n) => String.fromCharCode(0x21 + n))),
        minLength: 1,
        maxLength: 12,
      }),
      fc.constantFrom("=1+1", "'", "''=", '"', ",", "@x", "-1", "+", "a;b", "\\", "'quoted'"),
    )
    .filter((text) => customerIdSchema.safeParse(text).data === text);
  const item = fc.record({
    productId: id,
    variantId: id,
    addedAt: fc.integer({ min: 0, max: 5 }).map((n) => new Date(Date.UTC(2026, 0, 1, 0, 0, 0, n)).toISOString()),
  });
  const text = fc.oneof(
    fc.constantFrom(
      "=SUM(A1)",
      '"quoted", name',
      "'apostrophe",
      "2026",
      "May 1",
      "true",
      "Grüße 🎁",
      "贈り物",
      "<script>alert(1)</script>",
      "a;b",
      "\\",
      "-",
    ),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
  );
  const name = text.filter((given) => listNameSchema.safeParse(given).success);
  const note = fc
    .oneof(fc.constantFrom('Line one\r\nline "two"\n\n=three', "\t@tab", "12", ' ,"'), text)
    .filter((given) => newItemDetails.note.safeParse(given).success);
  const details = fc.record(
    {
      quantity: fc.integer({ min: 1, max: 999 }),
      note,
      properties: fc.dictionary(
        text.filter((given) => newItemDetails.note.safeParse(given).success),
        note,
        { maxKeys: 3 },
      ),
    },
    { requiredKeys: [] },
  );
  const list = fc.record({
    owner: id,
    guest: fc.boolean(),
    /** undefined for the default list */
    name: fc.option(name, { nil: undefined }),
    items: fc.uniqueArray(
      fc.tuple(
        item,
        details,
        fc.record({
          position: fc.option(fc.double({ min: -1e9, max: 1e9, noNaN: true }), { nil: undefined }),
          cents: fc.option(fc.integer({ min: 0, max: 99_999_999_999_999 }), { nil: undefined }),
        }),
      ),
      { maxLength: 8, selector: ([{ productId, variantId }]) => `${productId} ${variantId}` },
    ),
  });

  const dumpOf = (shopId: number) =>
    database.rows(
      `SELECT w.owner_kind, w.owner_id, w.handle, w.name, w.name_key, w.item_count, json_agg(json_build_array(
                i.product_id, i.variant_id, i.added_at, i.quantity, i.note, i.properties, i.position, i.saved_price) ORDER BY i.added_at DESC, i.seq DESC) AS items
         FROM wishlist w LEFT JOIN wishlist_item i ON i.shop_id = w.shop_id AND i.wishlist_id = w.id
        WHERE w.shop_id = $1 GROUP BY w.shop_id, w.id ORDER BY w.owner_kind, w.owner_id, w.handle <> 'default', w.position, w.handle`,
      [shopId],
    );

  const setSavedPrice = (shopId: number, saved: { productId: string; variantId: string }, cents: number) =>
    database.rows(
      "UPDATE wishlist_item SET saved_price = $4::numeric / 100 WHERE shop_id = $1 AND product_id = $2 AND variant_id = $3",
      [shopId, saved.productId, saved.variantId, cents],
    );

  /** Sets positions and saved prices of a list's items in one statement, because requests for each take most of the time of this file. */
  const setPlaces = (
    { shopId, kind, id: ownerId, listId = "default" }: ListRef,
    items: [
      { productId: string; variantId: string },
      unknown,
      { position?: number | undefined; cents?: number | undefined },
    ][],
  ) =>
    database.rows(
      `UPDATE wishlist_item i SET position = coalesce(g.position, i.position), saved_price = coalesce(g.cents / 100, i.saved_price)
         FROM wishlist w,
              unnest($5::text[], $6::text[], $7::double precision[], $8::numeric[]) AS g (product_id, variant_id, position, cents)
        WHERE w.shop_id = $1 AND w.owner_kind = $2 AND w.owner_id = $3 AND w.handle = $4
          AND i.shop_id = w.shop_id AND i.wishlist_id = w.id AND i.product_id = g.product_id AND i.variant_id = g.variant_id`,
      [
        ...[shopId, kind, ownerId, listId],
        items.map(([{ productId }]) => productId),
        items.map(([{ variantId }]) => variantId),
        items.map(([, , { position }]) => position),
        items.map(([, , { cents }]) => cents),
      ],
    );

  /** Returns the list of an owner that has the name, and creates it if there is none. */
  async function listNamed(owner: Owner, wanted: string | undefined): Promise<ListRef> {
    if (wanted === undefined) return owner;
    const found = (await readLists(owner)).lists.find(
      (one) => one.name !== null && nameKey(one.name) === nameKey(wanted),
    );
    const { listId } = found ?? unwrap(await createList(owner, { name: listNameSchema.parse(wanted) }, "api"));
    return { ...owner, listId };
  }

  for (const { numRuns, options } of randomRuns(3, 12)) {
    test.each(["csv", "ndjson"] as const)(
      `of %s can be imported by another shop with the same lists, details, prices and order, ${numRuns} times`,
      options,
      async (format) => {
        await fc.assert(
          fc.asyncProperty(fc.array(list, { minLength: 1, maxLength: 6 }), async (lists) => {
            const from = await makeShop(service, call, { plan: "growth" });
            const to = await makeShop(service, call, { plan: "growth" });
            for (const { owner, guest, name: wanted, items } of lists) {
              const whose = guest
                ? guestOwner(from.id, owner)
                : ({ shopId: from.id, kind: "customer", id: owner } as const);
              const ref = await listNamed(whose, wanted);
              unwrap(
                await mergeItems(ref, { items: items.map(([saved, given]) => ({ ...saved, ...given })) }, "merge"),
              );
              await setPlaces(ref, items);
            }
            const file = await exported(from.id, format);
            // Empty default lists have no line, and an empty file is refused.
            fc.pre(file !== "");
            const done = await importFile(to.id, file, { fileName: `lists.${format}`, part: 100 });
            expect(done).toMatchObject({ status: "done", rowsInvalid: 0, listsRefused: 0 });
            expect(await dumpOf(to.id)).toEqual(await dumpOf(from.id));
            expect(await exported(to.id, format)).toBe(file);
          }),
          { numRuns },
        );
      },
    );
  }

  test.each(["csv", "ndjson"] as const)(
    "of %s brings back the lists of an erased customer, with empty lists, names, details and prices",
    async (format) => {
      shop = await makeShop(service, call, { plan: "growth" });
      const owner = { shopId: shop.id, kind: "customer", id: "c1" } as const;
      unwrap(await addItem(owner, { productId: "p1", variantId: "v1" }, "api"));
      unwrap(await updateList(owner, { name: "Mine" }, "api"));
      for (const name of ["Empty", "Full"]) unwrap(await createList(owner, { name }, "api"));
      const full = (await readLists(owner)).lists.find(({ name }) => name === "Full");
      const ref = { ...owner, listId: full?.listId };
      unwrap(await addItem(ref, { productId: "p2", variantId: "v2", details: { quantity: 2, note: "Green" } }, "api"));
      unwrap(await changeItem(ref, { productId: "p2", variantId: "v2" }, { position: 1.5 }, "api"));
      await setSavedPrice(shop.id, { productId: "p2", variantId: "v2" }, 12_900);
      const before = await dumpOf(shop.id);
      expect(before).toHaveLength(3);
      expect(JSON.stringify(before)).toContain(",129]");
      const file = await exported(shop.id, format);
      await eraseCustomer(shop.id, "c1");
      expect(await dumpOf(shop.id)).toEqual([]);
      const done = await importFile(shop.id, file, { fileName: `lists.${format}` });
      expect(done).toMatchObject({ rowsInvalid: 0, itemsAdded: 2, listsCreated: 2, listsRefused: 0 });
      expect(await dumpOf(shop.id)).toEqual(before);
    },
  );

  test("has no deleted lists and no empty default list without a name", async () => {
    shop = await makeShop(service, call, { plan: "growth" });
    const owner = { shopId: shop.id, kind: "customer", id: "c1" } as const;
    const { listId } = unwrap(await createList(owner, { name: "Deleted" }, "api"));
    unwrap(await createList(owner, { name: "Empty" }, "api"));
    unwrap(await deleteList({ ...owner, listId }, "api"));
    const lines = await exported(shop.id, "ndjson");
    expect(JSON.parse(`[${lines.trim().replaceAll("\n", ",")}]`)).toEqual([
      { owner: "customer", ownerId: "c1", listId: expect.stringMatching(/^lst_/), listName: "Empty" },
    ]);
  });

  test("is a consistent snapshot of customers' lists, and of guests' on request", async () => {
    await importFile(shop.id, customersFile(300));
    await addItem(guestOwner(shop.id, "g".repeat(30)), { productId: "p1", variantId: "v" }, "storefront");
    const before = await exported(shop.id, "ndjson", false);
    const reading = exportLists(shop.id, { format: "ndjson", guests: false });
    let text = (await reading.next()).value ?? "";
    await add("c000299", "new");
    await add("zz", "new");
    await database.rows("SELECT wishlist_remove($1, 'customer', 'c000250', 'p0', NULL, 'api', now())", [shop.id]);
    for await (const piece of reading) text += piece;
    expect(text).toBe(before);
    expect(text).not.toContain("guest");
    expect(await exported(shop.id, "ndjson", true)).toContain('"guest"');
  });
});
