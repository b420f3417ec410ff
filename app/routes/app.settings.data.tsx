import { useLoaderData } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { revalidateUnlessFailed, formClientAction } from "../admin/form-request.ts";
import { DataPage } from "../admin/settings/data-page.tsx";
import { adminAction, form } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader } from "../http/admin/loader.server.ts";
import { actorOf } from "../http/admin/session.server.ts";
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

/** Maximum problems on the page. The downloadable report contains all. */
const PROBLEMS_SHOWN = 50;

export const loader = adminLoader(async ({ shop }) => {
  const current = await latestImport(shop.id);
  return { current, problems: current ? await importProblems(shop.id, current.id, PROBLEMS_SHOWN) : [] };
});

export const action = adminAction({
  export: form(exportForm, async (submission, options) => {
    const ticket = await exportTicket(submission.shop.id, options, (tx) =>
      audit(tx, { ...actorOf(submission), act: "data.exported", details: { name: options.format } }),
    );
    return ticket instanceof Failure ? ticket : { ticket };
  }),
  begin: form(beginImportForm, ({ shop }, file) => beginImport(shop.id, file)),
  start: form(startImportForm, async (submission, { id, unknown }) =>
    (await startImport(submission.shop.id, id, {
      unknown,
      noted: ({ items }, tx) =>
        audit(tx, { ...actorOf(submission), act: "data.imported", subject: id, details: { count: items } }),
    }))
      ? { id }
      : new Failure("not_found", "This file was already imported or discarded. Reload the page to see its status."),
  ),
  undo: form(importForm, async (submission, { id }) =>
    (await undoImport(submission.shop.id, id, ({ items }, tx) =>
      audit(tx, { ...actorOf(submission), act: "data.import_undone", subject: id, details: { count: items } }),
    ))
      ? { id }
      : new Failure(
          "not_found",
          "This import can no longer be undone, or another import is in progress. Reload the page to see its status.",
        ),
  ),
  cancel: form(importForm, async ({ shop }, { id }) =>
    (await cancelImport(shop.id, id))
      ? { id }
      : new Failure("not_found", "This import has already ended. Reload the page to see its result."),
  ),
});

export const clientAction = formClientAction;

export const shouldRevalidate = revalidateUnlessFailed;

export default function Data() {
  return <DataPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
