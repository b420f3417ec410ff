import { useLoaderData } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { revalidateUnlessFailed, formClientAction } from "../admin/form-request.ts";
import { WishlistsPage } from "../admin/wishlists/wishlists-page.tsx";
import { adminAction, emptyForm, form } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader, type AdminRequest } from "../http/admin/loader.server.ts";
import { permissionForm } from "../http/admin/permission.server.ts";
import { actorOf, customerAccessOf, hasScope } from "../http/admin/session.server.ts";
import { audit } from "../audit/index.server.ts";
import { beginTagging, customerNames, dismissTagging, listTaggings, stopTagging } from "../customers/index.server.ts";
import { flowEventsInUse } from "../flow/index.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { Failure } from "../platform/failure.ts";
import { showCustomerNames } from "../settings/index.server.ts";
import { OPTIONAL_SCOPES } from "../shopify-sessions/index.server.ts";
import {
  createIndexExportToken,
  createView,
  createViewForm,
  customersOfSelection,
  deleteView,
  deleteViewForm,
  findForm,
  followChanges,
  listIndex,
  listViews,
  parseCursor,
  parseListQuery,
  renameView,
  renameViewForm,
  search,
  selectionForm,
  tagForm,
  taggingForm,
  updateView,
  updateViewForm,
  viewOf,
  viewPath,
  type Cursor,
  type ListQuery,
} from "../wishlists/index.server.ts";

/** Reads a page of lists with all that was changed before, and the names of its customers. */
async function readIndex(request: AdminRequest, query: ListQuery, cursor: Cursor | undefined) {
  const { shop } = request;
  const summaries = await followChanges(shop.id);
  const page = await listIndex(shop.id, query, cursor);
  const customers = page.lists.flatMap(({ owner }) => (owner.kind === "customer" ? [owner.customerId] : []));
  return { ...summaries, page, names: await customerNames(customerAccessOf(request), customers) };
}

export const loader = adminLoader(async (request) => {
  const { shop, query: address } = request;
  const { ignored, ...query } = parseListQuery(address);
  const cursor = parseCursor(address, query.sort);
  const [index, views, flowEvents, taggings] = await Promise.all([
    readIndex(request, query, cursor),
    listViews(shop.id),
    flowEventsInUse(shop.id),
    listTaggings(shop.id),
  ]);
  return {
    query,
    ignored,
    isLaterPage: cursor !== undefined,
    ...index,
    views,
    view: viewOf(address, views),
    currency: shop.currency,
    flowEvents,
    taggings,
    canTag: hasScope(request, OPTIONAL_SCOPES.customerTags),
  };
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
  export: form(selectionForm, (submission, { query, lists }) =>
    transaction(submission.shop.id, async (tx) => {
      const { isPermitted, isShown } = customerAccessOf(submission);
      const names = isPermitted && isShown;
      const token = await createIndexExportToken(tx, submission.shop.id, { query, lists, names });
      if (token instanceof Failure) return token;
      await audit(tx, {
        ...actorOf(submission),
        action: "data.lists_exported",
        details: lists.length > 0 ? { count: lists.length } : {},
      });
      return { token };
    }),
  ),
  tag: form(tagForm, async (submission, { tag, ...selection }) => {
    const { shop } = submission;
    if (!hasScope(submission, OPTIONAL_SCOPES.customerTags)) return { state: "not_permitted" } as const;
    const customerIds = await customersOfSelection(shop.id, selection);
    return transaction(shop.id, async (tx) => {
      const begun = await beginTagging(tx, shop.id, { tag, customerIds });
      if (begun instanceof Failure) return begun;
      const details = { name: tag, count: begun.total };
      await audit(tx, { ...actorOf(submission), action: "data.customers_tagged", details });
      return { state: "begun" } as const;
    });
  }),
  "stop-tagging": form(taggingForm, ({ shop }, { id }) =>
    transaction(shop.id, async (tx) => {
      await stopTagging(tx, shop.id, id);
      return {};
    }),
  ),
  "dismiss-tagging": form(taggingForm, ({ shop }, { id }) =>
    transaction(shop.id, async (tx) => {
      await dismissTagging(tx, shop.id, id);
      return {};
    }),
  ),
  "create-view": form(createViewForm, (submission, view) =>
    transaction(submission.shop.id, async (tx) => {
      const created = await createView(tx, submission.shop.id, view);
      if (created instanceof Failure) return created;
      await audit(tx, { ...actorOf(submission), action: "wishlist.view_created", details: { name: view.name } });
      return { path: viewPath(created) };
    }),
  ),
  "rename-view": form(renameViewForm, (submission, view) =>
    transaction(submission.shop.id, async (tx) => {
      const renamed = await renameView(tx, submission.shop.id, view);
      if (renamed instanceof Failure) return renamed;
      const details = { from: renamed.before, to: view.name };
      await audit(tx, { ...actorOf(submission), action: "wishlist.view_renamed", details });
      return {};
    }),
  ),
  "update-view": form(updateViewForm, (submission, view) =>
    transaction(submission.shop.id, async (tx) => {
      const updated = await updateView(tx, submission.shop.id, view);
      if (updated instanceof Failure) return updated;
      await audit(tx, { ...actorOf(submission), action: "wishlist.view_changed", details: updated });
      return {};
    }),
  ),
  "delete-view": form(deleteViewForm, (submission, { id }) =>
    transaction(submission.shop.id, async (tx) => {
      const deleted = await deleteView(tx, submission.shop.id, id);
      if (deleted instanceof Failure) return deleted;
      await audit(tx, { ...actorOf(submission), action: "wishlist.view_deleted", details: deleted });
      return { path: "/app/wishlists" };
    }),
  ),
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
