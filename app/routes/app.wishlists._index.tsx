import { useLoaderData } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { revalidateUnlessFailed, formClientAction } from "../admin/form-request.ts";
import { WishlistsPage } from "../admin/wishlists/wishlists-page.tsx";
import { adminAction, emptyForm, form } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader } from "../http/admin/loader.server.ts";
import { permissionForm } from "../http/admin/permission.server.ts";
import { actorOf, customerAccessOf } from "../http/admin/session.server.ts";
import { audit } from "../audit/index.server.ts";
import { customerNames } from "../customers/index.server.ts";
import { flowEventsInUse } from "../flow/index.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { showCustomerNames } from "../settings/index.server.ts";
import { findForm, recentLists, search } from "../wishlists/index.server.ts";

/** An id in the activity log, as the pagination links carry it. */
const CURSOR = /^\d{1,15}$/;

function cursorIn(query: URLSearchParams): Parameters<typeof recentLists>[1] {
  const [before, after] = [query.get("before") ?? "", query.get("after") ?? ""];
  if (CURSOR.test(before)) return { before };
  return CURSOR.test(after) ? { after } : undefined;
}

export const loader = adminLoader(async (request) => {
  const { shop, query } = request;
  const [recent, flowEvents] = await Promise.all([recentLists(shop.id, cursorIn(query)), flowEventsInUse(shop.id)]);
  const customers = recent.lists.flatMap(({ owner }) => (owner.kind === "customer" ? [owner.customerId] : []));
  return { recent, flowEvents, names: await customerNames(customerAccessOf(request), customers) };
});

function namesForm(shown: boolean) {
  return form(emptyForm, (submission) =>
    transaction(submission.shop.id, async (tx) => {
      const changed = await showCustomerNames(tx, submission.shop.id, shown);
      if (changed) await audit(tx, { ...actorOf(submission), action: "settings.changed", details: { ...changed } });
      return {};
    }),
  );
}

export const action = adminAction({
  // A POST, because names and guest ids must not reach URLs, which browsers and logs keep.
  find: form(findForm, (submission, { query }) => search(submission.shop.id, customerAccessOf(submission), query)),
  "show-names": namesForm(true),
  "hide-names": namesForm(false),
  permission: permissionForm,
});

export const clientAction = formClientAction;

export const shouldRevalidate = revalidateUnlessFailed;

export default function Wishlists() {
  return <WishlistsPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
