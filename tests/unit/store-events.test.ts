import { expect, test } from "vitest";
import { parsePayload } from "../../app/store-events/payloads.ts";

test("webhooks with ids above 2^53, as Shopify's samples have, are accepted", () => {
  const product: unknown = JSON.parse('{"id":788032119674292922,"updated_at":"2026-11-24T10:00:00-05:00"}');
  expect(parsePayload("PRODUCTS_UPDATE", product)?.report).toMatchObject({
    productId: expect.stringMatching(/^788032119674\d{6}$/),
  });
  const order: unknown = JSON.parse(
    '{"id":820982911946154508,"order_number":1234,"created_at":"2026-11-24T10:00:00-05:00","customer":{"id":115310627314723954}}',
  );
  expect(parsePayload("ORDERS_CREATE", order)?.report).toMatchObject({
    orderId: expect.stringMatching(/^820982911946\d{6}$/),
  });
});
