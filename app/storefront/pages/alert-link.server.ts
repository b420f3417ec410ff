import { openAlert } from "../../alerts/index.server.ts";
import { describeToShoppers } from "../../catalog/index.server.ts";
import type { Shopper } from "../identity.server.ts";
import { escapeText } from "./escape.ts";
import { LIQUID_TYPE, type LiquidPage } from "./liquid-page.ts";

/** A customer can forward an email, and search engines follow its links. */
const HEADERS = { "X-Robots-Tag": "noindex" };

/**
 * Leads from the link of an alert to its product, or to the wishlist when there is no such product or alert any more. The browser is led on by a page,
 * because Shopify follows a redirect itself and would show the product under this address.
 */
export async function followAlert(shopper: Shopper, alertId: string): Promise<LiquidPage> {
  const item = await openAlert(shopper.shopId, alertId);
  const product = item && (await describeToShoppers(shopper.shopId, [item.productId])).get(item.productId);
  const isSold = item && product && !product.deleted;
  const path = isSold
    ? `{{ wl_root }}/products/${encodeURIComponent(product.handle)}?variant=${encodeURIComponent(item.variantId)}`
    : escapeText(shopper.storePath);
  const title = isSold ? escapeText(product.title) : "{{ shop.name | escape }}";
  const document = `{% layout none %}{%- assign wl_root = routes.root_url | escape -%}{%- if wl_root == '/' -%}{%- assign wl_root = '' -%}{%- endif -%}
<!doctype html>
<html lang="{{ request.locale.iso_code | escape }}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="0; url=${path}">
<title>${title}</title>
<a href="${path}">${title}</a>
</html>`;
  return { document, type: LIQUID_TYPE, headers: HEADERS };
}
