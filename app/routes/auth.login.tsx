import type { MetaFunction } from "@remix-run/node";
import { PRODUCT } from "../brand.ts";

export const meta: MetaFunction = () => [{ title: PRODUCT }];

/** Where Shopify's library sends who does not come from a shop's admin. A shop is never typed in by hand: Shopify forbids it. */
export default function Login() {
  return (
    <main
      style={{ font: "16px/1.6 system-ui, sans-serif", maxWidth: "34rem", margin: "18vh auto 0", padding: "0 1.5rem" }}
    >
      <h1 style={{ fontSize: "1.75rem", margin: "0 0 0.5rem" }}>Open the app from your store</h1>
      <p style={{ color: "#5b6472" }}>
        Go to your Shopify admin, choose Apps, and open {PRODUCT} there. That is also where you install it.
      </p>
    </main>
  );
}
