import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { authenticate } from "../shopify.server.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { session } = await authenticate.admin(request);
  return { shop: session.shop };
}

/** What a merchant sees who opens the app. */
export default function Home() {
  const { shop } = useLoaderData<typeof loader>();
  return <p style={{ color: "#5b6472" }}>{shop} is connected.</p>;
}
