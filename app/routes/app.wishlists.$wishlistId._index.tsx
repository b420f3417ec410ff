import { useLoaderData } from "@remix-run/react";
import { readAlertChoices } from "../alerts/index.server.ts";
import { PageError } from "../admin/error-page.tsx";
import { revalidateUnlessFailed, formClientAction } from "../admin/form-request.ts";
import { WishlistPage } from "../admin/wishlists/wishlist-page.tsx";
import { adminAction, emptyForm, form } from "../http/admin/action.server.ts";
import {
  adminHeaders,
  adminLoader,
  type AdminRequest,
  notFound,
  pageNumber,
  readPartOf,
} from "../http/admin/loader.server.ts";
import { permissionForm } from "../http/admin/permission.server.ts";
import { customerAccessOf, hasScope } from "../http/admin/session.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { Failure } from "../platform/failure.ts";
import { customerNames } from "../customers/index.server.ts";
import { draftOrderOutcome, ordersOfCustomer } from "../orders/index.server.ts";
import { OPTIONAL_SCOPES } from "../shopify-sessions/index.server.ts";
import { readMissingPlan } from "../billing/index.server.ts";
import {
  addByStaff,
  addItemForm,
  createDraftOrderByStaff,
  draftOrderForm,
  removeByStaff,
  removeForm,
  restoreDeletedByStaff,
  restoreDeletedForm,
  shareByStaff,
  undoAddForm,
  unshareByStaff,
  viewList,
  type ListOwner,
} from "../wishlists/index.server.ts";

function targetOf({ shop, staff, params }: AdminRequest) {
  return { shopId: shop.id, staff, wishlistId: params["wishlistId"] ?? "" };
}

/** Returns what the page shows of the list's owner, beside the lists. A guest has neither a name nor orders nor alerts. */
async function customerOf(request: AdminRequest, owner: ListOwner) {
  const access = customerAccessOf(request);
  if (owner.kind === "guest") return { names: await customerNames(access, []), alerts: undefined, orders: undefined };
  const { id, plan } = request.shop;
  const { customerId } = owner;
  const [names, alerts, orders] = await Promise.all([
    customerNames(access, [customerId]),
    readPartOf(request, readAlertChoices(id, plan, customerId)),
    readPartOf(request, ordersOfCustomer(id, customerId)),
  ]);
  return { names, alerts, orders };
}

export const loader = adminLoader(async (request) => {
  const { shop, query } = request;
  const list = await viewList(shop, targetOf(request).wishlistId, pageNumber(query));
  if (!list) throw notFound();
  return {
    list,
    sharingPlan: await readMissingPlan(shop, "sharing"),
    currency: shop.currency,
    canDraftOrders: hasScope(request, OPTIONAL_SCOPES.draftOrders),
    idempotencyKey: request.idempotencyKey,
    ...(await customerOf(request, list.owner)),
  };
});

export const action = adminAction({
  // To the list that the page shows, or another one of the customer, as both are chosen in the form.
  add: form(addItemForm, ({ shop, staff }, { list, item, quantity, note }) =>
    transaction(shop.id, async (tx) => {
      const target = { shopId: shop.id, staff, wishlistId: list };
      const outcome = await addByStaff(tx, target, { ...item, quantity, note });
      return outcome instanceof Failure ? outcome : { ...outcome, list, item };
    }),
  ),
  "undo-add": form(undoAddForm, ({ shop, staff }, { list, item }) =>
    transaction(shop.id, (tx) => removeByStaff(tx, { shopId: shop.id, staff, wishlistId: list }, [item])),
  ),
  "draft-order": form(draftOrderForm, async (submission, { items }) => {
    if (!hasScope(submission, OPTIONAL_SCOPES.draftOrders)) return { state: "not_permitted" } as const;
    return submission.runIdempotently(draftOrderOutcome, (tx) =>
      createDraftOrderByStaff(tx, { ...targetOf(submission), shop: submission.shop.domain }, items),
    );
  }),
  permission: permissionForm,
  remove: form(removeForm, (submission, { items }) =>
    transaction(submission.shop.id, (tx) => removeByStaff(tx, targetOf(submission), items)),
  ),
  // Of this list, or of another one that the page shows as deleted.
  restore: form(restoreDeletedForm, ({ shop, staff }, { wishlistId }) =>
    transaction(shop.id, (tx) => restoreDeletedByStaff(tx, { shopId: shop.id, staff, wishlistId })),
  ),
  share: form(emptyForm, (submission) =>
    transaction(submission.shop.id, (tx) => shareByStaff(tx, targetOf(submission), submission.shop.plan)),
  ),
  unshare: form(emptyForm, (submission) =>
    transaction(submission.shop.id, (tx) => unshareByStaff(tx, targetOf(submission))),
  ),
});

export const clientAction = formClientAction;

export const shouldRevalidate = revalidateUnlessFailed;

export default function Wishlist() {
  return <WishlistPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
