import type { Item } from "@wishlist-headless/sdk";
import type { ReactElement } from "react";
import { Link } from "react-router";
import { formatPrice, thumbnailUrl } from "../storefront-api.ts";

/** Shows the product of a saved item, which may have changed or gone since it was saved. */
export function ItemProductLink({ item: { product } }: { item: Item }): ReactElement {
  if (!product || product.deleted) {
    return (
      <div className="item-product">
        <span className="picture" />
        <span className="title">{product?.title ?? "Product"}</span>
        <span className="muted">This product is not in the shop any more.</span>
      </div>
    );
  }
  const { title, handle, imageUrl, variantTitle, price, savedPrice, currency, available } = product;
  const isCheaper = price !== null && savedPrice !== null && Number(price) < Number(savedPrice);
  return (
    <Link className="item-product" to={`/products/${handle}`}>
      <span className="picture">{imageUrl !== null && <img src={thumbnailUrl(imageUrl)} alt="" loading="lazy" />}</span>
      <span className="title">{title}</span>
      {variantTitle !== null && <span className="muted">{variantTitle}</span>}
      <span className="price">
        {price !== null && currency !== null && formatPrice({ amount: price, currencyCode: currency })}
        {isCheaper && <span className="badge">Price dropped</span>}
        {!available && <span className="muted"> · Sold out</span>}
      </span>
    </Link>
  );
}
