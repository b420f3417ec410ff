import type { ReactElement } from "react";
import { Link } from "react-router";
import { formatPrice, type ProductSummary } from "../storefront-api.ts";
import { Heart } from "./heart.tsx";

/** A product of the grid. */
export function ProductCard({ product }: { product: ProductSummary }): ReactElement {
  const { id, handle, title, vendor, featuredImage, availableForSale, priceRange } = product;
  const { minVariantPrice: from, maxVariantPrice: to } = priceRange;
  return (
    <li className="card">
      <Link to={`/products/${handle}`}>
        <span className="picture">{featuredImage && <img src={featuredImage.url} alt="" loading="lazy" />}</span>
        <span className="title">{title}</span>
        <span className="muted">{vendor}</span>
        <span className="price">
          {from.amount !== to.amount && "from "}
          {formatPrice(from)}
          {!availableForSale && <span className="muted"> · Sold out</span>}
        </span>
      </Link>
      <Heart productId={id} title={title} />
    </li>
  );
}
