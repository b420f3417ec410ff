import { useLoaderData } from "@remix-run/react";
import { createKey, createKeyForm, createPublishableKey, issuedKeySchema, keyLimits } from "../access/index.server.ts";
import { PageError } from "../admin/error-page.tsx";
import { revalidateUnlessFailed, formClientAction } from "../admin/form-request.ts";
import { NewKeyPage } from "../admin/keys/new-key-page.tsx";
import { adminAction, form } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader } from "../http/admin/loader.server.ts";
import { actorOf } from "../http/admin/session.server.ts";
import { now } from "../platform/clock.server.ts";
import { Failure } from "../platform/failure.ts";
import { appOrigin } from "../shopify.server.ts";
import { audit } from "../audit/index.server.ts";

const DAY_MS = 24 * 3_600_000;

export const loader = adminLoader(({ idempotencyKey }) => ({
  idempotencyKey,
  origin: appOrigin(),
  limits: keyLimits(),
}));

export const action = adminAction({
  create: form(createKeyForm, (submission, key) =>
    submission.runIdempotently(issuedKeySchema, async (tx) => {
      const expiresAt =
        key.expires === undefined ? {} : { expiresAt: new Date(now().getTime() + key.expires * DAY_MS) };
      const named = { shopId: submission.shop.id, name: key.name, ...expiresAt };
      const issued =
        key.kind === "publishable"
          ? await createPublishableKey(tx, { ...named, allowedOrigins: key.origins })
          : await createKey(tx, { ...named, kind: key.kind, scopes: key.scopes });
      if (issued instanceof Failure) return issued;
      const { keyId, name } = issued;
      await audit(tx, { ...actorOf(submission), action: "api_key.created", subject: keyId, details: { name } });
      return issued;
    }),
  ),
});

export const clientAction = formClientAction;

export const shouldRevalidate = revalidateUnlessFailed;

export default function NewApiKey() {
  return <NewKeyPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
