import { WishlistProvider } from "@wishlist-headless/react";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter, RouterProvider } from "react-router";
import { ErrorPage } from "./components/error-page.tsx";
import { Layout } from "./components/layout.tsx";
import { authorizeLoader, AuthorizePage } from "./pages/authorize.tsx";
import { ProductPage, productLoader } from "./pages/product.tsx";
import { ProductsPage, productsLoader } from "./pages/products.tsx";
import { SharedListPage, sharedListLoader } from "./pages/shared-list.tsx";
import { WishlistPage } from "./pages/wishlist.tsx";
import { followTabs, reportWishlistError } from "./session.ts";
import { client } from "./client.ts";
import "./styles.css";

const router = createBrowserRouter([
  {
    Component: Layout,
    HydrateFallback: Layout,
    children: [
      {
        ErrorBoundary: ErrorPage,
        children: [
          { path: "/", Component: ProductsPage, loader: productsLoader },
          { path: "/products/:handle", Component: ProductPage, loader: productLoader },
          { path: "/wishlist/:listId?", Component: WishlistPage },
          { path: "/shared/:token", Component: SharedListPage, loader: sharedListLoader },
          { path: "/account/authorize", Component: AuthorizePage, loader: authorizeLoader },
          { path: "*", Component: ErrorPage, loader: notFound },
        ],
      },
    ],
  },
]);

function notFound(): never {
  throw new Response(null, { status: 404 });
}

followTabs();

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <WishlistProvider client={client} live onError={reportWishlistError}>
        <RouterProvider router={router} />
      </WishlistProvider>
    </StrictMode>,
  );
}
