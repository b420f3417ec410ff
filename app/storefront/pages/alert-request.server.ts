import type { z } from "zod";
import { describeToShoppers } from "../../catalog/index.server.ts";
import { confirmRequest, readLinkedRequest, targetPriceSchema } from "../../contacts/index.server.ts";
import { Failure } from "../../platform/failure.ts";
import { askForAlert, withdrawAlert } from "../alert-requests.server.ts";
import { isCustomer, type Shopper } from "../identity.server.ts";
import type { askForm } from "../form-schemas.ts";
import { themedPage, type LiquidPage } from "./liquid-page.ts";

/** Who has the link can confirm: it is kept out of search engines and of other sites' logs. */
const HEADERS = { "X-Robots-Tag": "noindex", "Referrer-Policy": "same-origin" };

type State =
  | "asking"
  | "confirmed"
  | "current"
  | "unknown"
  | "confirm"
  | "active"
  | "invalid_email"
  | "invalid_target"
  | "unavailable"
  | "withdrawn";

async function page(
  shopper: Shopper,
  state: State,
  about: { productId: string; variantId: string } | undefined,
  { action, kind, target }: { action: string; kind: string; target: string } = { action: "", kind: "", target: "" },
): Promise<LiquidPage> {
  const product = about && (await describeToShoppers(shopper.shopId, [about.productId])).get(about.productId);
  const shown = { state, action, kind, target, product: "", path: "" };
  if (about && product) {
    const variant = product.variants.find(({ variantId }) => variantId === about.variantId);
    shown.product = product.variants.length > 1 && variant ? `${product.title}, ${variant.title}` : product.title;
    if (!product.deleted)
      shown.path = `/products/${encodeURIComponent(product.handle)}?variant=${encodeURIComponent(about.variantId)}`;
  }
  return { ...themedPage("alert-request", { proxy: shopper.storePath, level: 1, ...shown }), headers: HEADERS };
}

/** Asks before it confirms, because mail scanners open links. */
export async function askToConfirm(shopper: Shopper, requestId: string): Promise<LiquidPage> {
  const request = await readLinkedRequest(shopper.shopId, requestId);
  if (!request) return page(shopper, "unknown", undefined);
  const action = `${shopper.storePath}/requests/${requestId}`;
  return page(shopper, "asking", request, { action, kind: request.kind, target: request.targetPrice ?? "" });
}

/** Confirms by the form of the page. */
export async function confirmByLink(shopper: Shopper, requestId: string): Promise<LiquidPage> {
  const confirmed = await confirmRequest(shopper.shopId, requestId);
  if (!confirmed) return page(shopper, "unknown", undefined);
  return page(shopper, confirmed.isCurrent ? "current" : "confirmed", confirmed);
}

/** Tells whether a failure is about a field of the body. */
const isAbout = ({ message }: Failure, field: string): boolean => message.startsWith(`body.${field} `);

/** Asks for an alert by a form, or withdraws it, without JavaScript. */
export async function askByForm(shopper: Shopper, form: z.output<typeof askForm>): Promise<LiquidPage | Failure> {
  const { product_id: productId, variant_id: variantId, kind, locale } = form;
  const variant = { productId, variantId };
  if (form.withdraw !== undefined && isCustomer(shopper)) {
    await withdrawAlert(shopper, { ...variant, kind });
    return page(shopper, "withdrawn", variant);
  }
  // Half of the world writes 9,90.
  const target = targetPriceSchema.optional().safeParse(written(form.target_price)?.replace(",", "."));
  if (!target.success) return page(shopper, "invalid_target", variant);
  const wanted = { ...variant, kind, targetPrice: target.data, email: written(form.email), locale: written(locale) };
  const done = await askForAlert(shopper, wanted);
  if (!(done instanceof Failure)) return page(shopper, done.state, variant);
  if (done.code === "alerts_unavailable") return page(shopper, "unavailable", variant);
  if (isAbout(done, "email")) return page(shopper, "invalid_email", variant);
  return isAbout(done, "targetPrice") ? page(shopper, "invalid_target", variant) : done;
}

/** Returns what a field holds; undefined for an empty one. */
function written(field: string | undefined): string | undefined {
  const text = field?.trim() ?? "";
  return text === "" ? undefined : text;
}
