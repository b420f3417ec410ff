import type { LinksFunction, MetaFunction } from "@remix-run/node";
import { AdminLayoutError } from "../admin/error-page.tsx";
import { revalidateUnlessFailed } from "../admin/form-request.ts";
import { AdminLayout } from "../admin/admin-layout.tsx";
import { PRODUCT } from "../brand.ts";
import { STYLESHEETS } from "../admin/stylesheets.ts";
import { adminHeaders, adminLoader } from "../http/admin/loader.server.ts";
import { appClientId } from "../shopify.server.ts";

// Remix requests each route's data separately, so every loader below this route authenticates as well.
export const loader = adminLoader(({ shop, isPhone }) => ({
  apiKey: appClientId(),
  timeZone: shop.timeZone,
  isPhone,
}));

export const links: LinksFunction = () => STYLESHEETS.map((href) => ({ rel: "stylesheet", href }));

export const meta: MetaFunction = () => [{ title: PRODUCT }];

export const shouldRevalidate = revalidateUnlessFailed;

export const headers = adminHeaders;

export { AdminLayout as default, AdminLayoutError as ErrorBoundary };
