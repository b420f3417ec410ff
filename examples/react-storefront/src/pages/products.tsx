import type { ReactElement } from "react";
import { Link, useLoaderData, useNavigation, useSearchParams, type LoaderFunctionArgs } from "react-router";
import { Empty } from "../components/empty.tsx";
import { ProductCard } from "../components/product-card.tsx";
import { usePageTitle } from "../page-title.ts";
import { listProducts, type ProductList } from "../storefront-api.ts";

const STEP = 24;

/** Reads as many products as the address says, so that the browser's back button finds them all. */
export async function productsLoader({ request }: LoaderFunctionArgs): Promise<ProductList> {
  const parameters = new URL(request.url).searchParams;
  return listProducts(parameters.get("q") ?? "", countOf(parameters), request.signal);
}

function countOf(parameters: URLSearchParams): number {
  return Math.min(Math.max(Number(parameters.get("count")) || STEP, 1), 1000);
}

export function ProductsPage(): ReactElement {
  const { products, hasMore } = useLoaderData<typeof productsLoader>();
  const [parameters] = useSearchParams();
  const isLoading = useNavigation().state === "loading";
  const search = parameters.get("q") ?? "";
  const title = search ? `Products with “${search}”` : "All products";
  usePageTitle(title);

  if (products.length === 0) {
    return (
      <Empty title={`Nothing found for “${search}”`} action={<Link to="/">See all products</Link>}>
        Check the spelling, or search for fewer words.
      </Empty>
    );
  }
  const more = new URLSearchParams({ ...(search && { q: search }), count: String(countOf(parameters) + STEP) });
  return (
    <>
      <h1>{title}</h1>
      <ul className="grid">
        {products.map((product) => (
          <ProductCard key={product.id} product={product} />
        ))}
      </ul>
      {hasMore && (
        <Link className="button more" to={`?${more.toString()}`} replace preventScrollReset>
          {isLoading ? "Loading…" : "Show more products"}
        </Link>
      )}
    </>
  );
}
