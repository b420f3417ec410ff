import { useState, type ReactElement } from "react";
import { useLoaderData, type LoaderFunctionArgs } from "react-router";
import { Heart } from "../components/heart.tsx";
import { ListPicker } from "../components/list-picker.tsx";
import { usePageTitle } from "../page-title.ts";
import { cartUrl, findProduct, formatPrice, type Product, type Variant } from "../storefront-api.ts";

export async function productLoader({ params, request }: LoaderFunctionArgs): Promise<Product> {
  const product = await findProduct(params["handle"] ?? "", request.signal);
  if (!product) throw new Response(null, { status: 404 });
  return product;
}

export function ProductPage(): ReactElement {
  const product = useLoaderData<typeof productLoader>();
  usePageTitle(product.title);
  return (
    <article className="product">
      <div className="picture">
        {product.featuredImage && <img src={product.featuredImage.url} alt={product.title} />}
      </div>
      <div>
        <h1>{product.title}</h1>
        <p className="muted">{product.description}</p>
        <ul className="variants">
          {product.variants.nodes.map((variant) => (
            <VariantRow key={variant.id} product={product} variant={variant} />
          ))}
        </ul>
      </div>
    </article>
  );
}

function VariantRow({ product, variant }: { product: Product; variant: Variant }): ReactElement {
  const [isPicking, setPicking] = useState(false);
  // Shopify's name of the only variant of a product.
  const isOnly = variant.title === "Default Title";
  const title = isOnly ? product.title : `${product.title}, ${variant.title}`;
  return (
    <li className="variant">
      <div>
        {!isOnly && <p className="title">{variant.title}</p>}
        <p className="price">{formatPrice(variant.price)}</p>
      </div>
      {variant.availableForSale ? (
        <a className="button" href={cartUrl([{ variantId: variant.id }])} aria-label={`Add to cart: ${title}`}>
          Add to cart
        </a>
      ) : (
        <span className="muted">Sold out</span>
      )}
      <button onClick={() => setPicking(true)} aria-label={`Choose lists for ${title}`}>
        Lists
      </button>
      <Heart productId={product.id} variantId={variant.id} title={title} />
      {isPicking && (
        <ListPicker productId={product.id} variantId={variant.id} title={title} onClose={() => setPicking(false)} />
      )}
    </li>
  );
}
