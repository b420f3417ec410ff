import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { PageError } from "../admin/error-page.tsx";
import { formClientAction, revalidateUnlessFailed } from "../admin/form-request.ts";
import { PrivacyPage } from "../admin/settings/privacy-page.tsx";
import { customerNames } from "../customers/index.server.ts";
import { adminAction, form } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader } from "../http/admin/loader.server.ts";
import { actorOf, customerAccessOf } from "../http/admin/session.server.ts";
import { now } from "../platform/clock.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { Failure } from "../platform/failure.ts";
import { listRequests, markRecordSent, personForm, requestForAddress } from "../privacy/index.server.ts";

const PAGE_SIZE = 50;

const sentForm = z.strictObject({ id: z.string().max(40) });

export const loader = adminLoader(async (request) => {
  const after = request.query.get("after") ?? undefined;
  const list = await listRequests(request.shop.id, { after, limit: PAGE_SIZE });
  const customers = list.requests.flatMap(({ customerId }) => customerId ?? []);
  const names = await customerNames(customerAccessOf(request), customers);
  return { ...list, names, isFirst: after === undefined, at: now() };
});

export const action = adminAction({
  person: form(personForm, (submission, person) =>
    transaction(submission.shop.id, (tx) => requestForAddress(tx, actorOf(submission), person)),
  ),
  sent: form(sentForm, (submission, { id }) =>
    transaction(submission.shop.id, async (tx) => {
      const isKnown = await markRecordSent(tx, actorOf(submission), id);
      return isKnown ? {} : new Failure("not_found", "This request no longer has a file. Reload the page.");
    }),
  ),
});

export const clientAction = formClientAction;

export const shouldRevalidate = revalidateUnlessFailed;

export default function PrivacyRequests() {
  return <PrivacyPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
