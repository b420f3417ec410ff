import type { LinksFunction, MetaFunction } from "@remix-run/node";
import { FrameError } from "../admin/error-page.tsx";
import { keepShown } from "../admin/form.ts";
import { Frame } from "../admin/frame.tsx";
import { PRODUCT } from "../brand.ts";
import { STYLESHEETS } from "../admin/stylesheets.ts";
import { adminHeaders, adminLoader } from "../http/admin/admin.server.ts";
import { appClientId } from "../shopify.server.ts";

// Remix asks for each route's data by itself: every loader beneath this one authenticates, too.
export const loader = adminLoader(({ shop }) => ({ apiKey: appClientId(), timeZone: shop.timeZone }));

export const links: LinksFunction = () => STYLESHEETS.map((href) => ({ rel: "stylesheet", href }));

export const meta: MetaFunction = () => [{ title: PRODUCT }];

export const shouldRevalidate = keepShown;

export const headers = adminHeaders;

export { Frame as default, FrameError as ErrorBoundary };
