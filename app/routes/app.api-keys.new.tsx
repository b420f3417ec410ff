import { useLoaderData } from "@remix-run/react";
import { createKey, createKeyForm, issuedKeySchema } from "../access/index.server.ts";
import { PageError } from "../admin/error-page.tsx";
import { keepShown, keepTyped } from "../admin/form.ts";
import { NewKeyPage } from "../admin/keys/new-key-page.tsx";
import { adminAction, adminHeaders, adminLoader, form } from "../http/admin.server.ts";
import { now } from "../platform/clock.server.ts";
import { appOrigin } from "../shopify.server.ts";

const DAY_MS = 24 * 3_600_000;

export const loader = adminLoader(({ submission }) => ({ submission, origin: appOrigin() }));

export const action = adminAction({
  create: form(createKeyForm, ({ shop, once }, { expires, ...key }) =>
    once(issuedKeySchema, (tx) => {
      const expiresAt = expires === undefined ? {} : { expiresAt: new Date(now().getTime() + expires * DAY_MS) };
      return createKey({ shopId: shop.id, ...key, ...expiresAt }, tx);
    }),
  ),
});

export const clientAction = keepTyped;

export const shouldRevalidate = keepShown;

export default function NewApiKey() {
  return <NewKeyPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
