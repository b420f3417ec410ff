import { useLoaderData } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { keepShown, keepTyped } from "../admin/form.ts";
import { DataPage } from "../admin/settings/data-page.tsx";
import { adminAction, adminHeaders, adminLoader, form, whose } from "../http/admin/admin.server.ts";
import { Failure } from "../platform/failure.ts";
import { audit } from "../audit/index.server.ts";
import {
  beginImport,
  beginImportForm,
  cancelImport,
  exportForm,
  exportTicket,
  importForm,
  importProblems,
  latestImport,
  startImport,
  startImportForm,
  undoImport,
} from "../wishlists/index.server.ts";

/** Problems that the page shows; the report has them all. */
const SHOWN = 50;

export const loader = adminLoader(async ({ shop }) => {
  const current = await latestImport(shop.id);
  return { current, problems: current ? await importProblems(shop.id, current.id, SHOWN) : [] };
});

export const action = adminAction({
  export: form(exportForm, async (sent, wanted) => {
    const ticket = await exportTicket(sent.shop.id, wanted, (tx) =>
      audit(tx, { ...whose(sent), act: "data.exported", details: { name: wanted.format } }),
    );
    return ticket instanceof Failure ? ticket : { ticket };
  }),
  begin: form(beginImportForm, ({ shop }, file) => beginImport(shop.id, file)),
  start: form(startImportForm, async (sent, { id, unknown }) =>
    (await startImport(sent.shop.id, id, {
      unknown,
      noted: ({ items }, tx) =>
        audit(tx, { ...whose(sent), act: "data.imported", subject: id, details: { count: items } }),
    }))
      ? { id }
      : new Failure(
          "not_found",
          "This file was imported or dropped meanwhile. Reload the page to see what became of it.",
        ),
  ),
  undo: form(importForm, async (sent, { id }) =>
    (await undoImport(sent.shop.id, id, ({ items }, tx) =>
      audit(tx, { ...whose(sent), act: "data.import_undone", subject: id, details: { count: items } }),
    ))
      ? { id }
      : new Failure(
          "not_found",
          "This import can't be undone any more, or another import is open. Reload the page to see its state.",
        ),
  ),
  cancel: form(importForm, async ({ shop }, { id }) =>
    (await cancelImport(shop.id, id))
      ? { id }
      : new Failure("not_found", "This import had ended already. Reload the page to see what became of it."),
  ),
});

export const clientAction = keepTyped;

export const shouldRevalidate = keepShown;

/** All wishlists as a file, out and in. */
export default function Data() {
  return <DataPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
