import type { LinksFunction, MetaFunction } from "@remix-run/node";
import polarisStyles from "@shopify/polaris/build/esm/styles.css?url";
import { FrameError } from "../admin/error-page.tsx";
import { keepShown } from "../admin/form.ts";
import { Frame } from "../admin/frame.tsx";
import { PRODUCT } from "../brand.ts";
import tableStyles from "../admin/tables.css?url";
import { adminHeaders, adminLoader } from "../http/admin.server.ts";
import { appKey } from "../shopify.server.ts";

// Remix asks for each route's data by itself: every loader beneath this one authenticates, too.
export const loader = adminLoader(({ shop }) => ({ apiKey: appKey(), timeZone: shop.timeZone }));

export const links: LinksFunction = () => [polarisStyles, tableStyles].map((href) => ({ rel: "stylesheet", href }));

export const meta: MetaFunction = () => [{ title: PRODUCT }];

export const shouldRevalidate = keepShown;

export const headers = adminHeaders;

export { Frame as default, FrameError as ErrorBoundary };
