import { useLoaderData } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { revalidateUnlessFailed, formClientAction } from "../admin/form-request.ts";
import { DataPage } from "../admin/settings/data-page.tsx";
import { adminAction, form } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader } from "../http/admin/loader.server.ts";
import { actorOf } from "../http/admin/session.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { Failure } from "../platform/failure.ts";
import { audit } from "../audit/index.server.ts";
import {
  beginImport,
  beginImportForm,
  cancelImport,
  exportForm,
  createExportToken,
  importForm,
  importProblems,
  recentImports,
  startImport,
  startImportForm,
  undoImport,
} from "../wishlists/index.server.ts";

/** Maximum problems on the page. The downloadable report contains all. */
const PROBLEMS_SHOWN = 50;

/** Imports on the page, the current one included. */
const IMPORTS_SHOWN = 11;

export const loader = adminLoader(async ({ shop }) => {
  const [current, ...earlier] = await recentImports(shop.id, IMPORTS_SHOWN);
  return { current, earlier, problems: current ? await importProblems(shop.id, current.id, PROBLEMS_SHOWN) : [] };
});

export const action = adminAction({
  export: form(exportForm, (submission, options) =>
    transaction(submission.shop.id, async (tx) => {
      const token = await createExportToken(tx, submission.shop.id, options);
      if (token instanceof Failure) return token;
      await audit(tx, { ...actorOf(submission), action: "data.exported", details: { name: options.format } });
      return { token };
    }),
  ),
  begin: form(beginImportForm, ({ shop }, file) => transaction(shop.id, (tx) => beginImport(tx, shop.id, file))),
  start: form(startImportForm, (submission, { id, unknown }) =>
    transaction(submission.shop.id, async (tx) => {
      const started = await startImport(tx, submission.shop.id, id, unknown);
      if (!started) {
        return new Failure(
          "not_found",
          "This file was already imported or discarded. Reload the page to see its status.",
        );
      }
      await audit(tx, {
        ...actorOf(submission),
        action: "data.imported",
        subject: id,
        details: { count: started.items },
      });
      return { id };
    }),
  ),
  undo: form(importForm, (submission, { id }) =>
    transaction(submission.shop.id, async (tx) => {
      const undoing = await undoImport(tx, submission.shop.id, id);
      if (!undoing) {
        return new Failure(
          "not_found",
          "This import can no longer be undone, or another import is in progress. Reload the page to see its status.",
        );
      }
      await audit(tx, {
        ...actorOf(submission),
        action: "data.import_undone",
        subject: id,
        details: { count: undoing.items },
      });
      return { id };
    }),
  ),
  cancel: form(importForm, async ({ shop }, { id }) =>
    (await transaction(shop.id, (tx) => cancelImport(tx, shop.id, id)))
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
