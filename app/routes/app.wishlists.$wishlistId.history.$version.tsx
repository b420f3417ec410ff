import { useLoaderData } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { formClientAction, revalidateUnlessFailed } from "../admin/form-request.ts";
import { RestorePage } from "../admin/wishlists/restore-page.tsx";
import { adminAction, form } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader, type AdminRequest, notFound } from "../http/admin/loader.server.ts";
import { customerAccessOf } from "../http/admin/session.server.ts";
import { customerNames } from "../customers/index.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { previewRestore, restoreByStaff, restoreForm } from "../wishlists/index.server.ts";

/** @throws 404 for a text that is no version */
function versionIn({ params }: AdminRequest): number {
  const text = params["version"] ?? "";
  if (!/^\d{1,15}$/.test(text)) throw notFound();
  return Number(text);
}

export const loader = adminLoader(async (request) => {
  const { shop, params } = request;
  const preview = await previewRestore(shop.id, params["wishlistId"] ?? "", versionIn(request));
  if (!preview) throw notFound();
  const customers = preview.owner.kind === "customer" ? [preview.owner.customerId] : [];
  return { preview, names: await customerNames(customerAccessOf(request), customers) };
});

export const action = adminAction({
  restore: form(restoreForm, (submission, { current }) => {
    const { shop, staff, params } = submission;
    const target = { shopId: shop.id, staff, wishlistId: params["wishlistId"] ?? "" };
    return transaction(shop.id, (tx) => restoreByStaff(tx, target, versionIn(submission), current));
  }),
});

export const clientAction = formClientAction;

export const shouldRevalidate = revalidateUnlessFailed;

export default function Restore() {
  return <RestorePage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
