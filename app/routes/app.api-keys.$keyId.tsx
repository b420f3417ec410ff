import { useLoaderData } from "@remix-run/react";
import {
  emptyForm,
  issuedKeySchema,
  keyOfShop,
  revokeKey,
  rotateKey,
  rotateKeyForm,
  trialForm,
  trialToken,
} from "../access/index.server.ts";
import { PageError } from "../admin/error-page.tsx";
import { keepShown, keepTyped } from "../admin/form.ts";
import { KeyPage } from "../admin/keys/key-page.tsx";
import {
  adminAction,
  adminHeaders,
  adminLoader,
  form,
  notFound,
  whose,
  type Visit,
} from "../http/admin/admin.server.ts";
import { now } from "../platform/clock.server.ts";
import { Failure } from "../platform/failure.ts";
import { appOrigin } from "../shopify.server.ts";
import { audit } from "../audit/index.server.ts";

function keyIdOf({ params }: Visit): string {
  return params["keyId"] ?? "";
}

export const loader = adminLoader(async (visit) => {
  const apiKey = await keyOfShop(visit.shop.id, keyIdOf(visit));
  if (!apiKey) throw notFound();
  return { apiKey, at: now(), submission: visit.submission, origin: appOrigin() };
});

export const action = adminAction({
  rotate: form(rotateKeyForm, (sent, { overlap }) =>
    sent.once(issuedKeySchema, async (tx) => {
      const issued = await rotateKey(sent.shop.id, keyIdOf(sent), overlap, tx);
      if (!issued)
        return new Failure("not_found", "This key isn't active, or it was already rotated. Reload the page.");
      if (issued instanceof Failure) return issued;
      const details = { name: issued.name, to: issued.keyId };
      await audit(tx, { ...whose(sent), act: "api_key.rotated", subject: keyIdOf(sent), details });
      return issued;
    }),
  ),
  revoke: form(emptyForm, async (sent) => {
    const revoked = await revokeKey(sent.shop.id, keyIdOf(sent), ({ keyId, name }, tx) =>
      audit(tx, { ...whose(sent), act: "api_key.revoked", subject: keyId, details: { name } }),
    );
    return revoked ? true : new Failure("not_found", "This key no longer exists.");
  }),
  try: form(trialForm, (sent, { scope }) => trialToken(sent.shop.id, keyIdOf(sent), scope)),
});

export const clientAction = keepTyped;

export const shouldRevalidate = keepShown;

export default function ApiKey() {
  return <KeyPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
