import { useLoaderData } from "@remix-run/react";
import {
  changeKey,
  changeKeyForm,
  issuedKeySchema,
  keyOfShop,
  revokeKey,
  rotateKey,
  rotateKeyForm,
  sampleRequestForm,
  sampleRequestToken,
  setAllowedOrigins,
} from "../access/index.server.ts";
import { PageError } from "../admin/error-page.tsx";
import { revalidateUnlessFailed, formClientAction } from "../admin/form-request.ts";
import { KeyPage } from "../admin/keys/key-page.tsx";
import { adminAction, emptyForm, form } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader, type AdminRequest, notFound } from "../http/admin/loader.server.ts";
import { actorOf } from "../http/admin/session.server.ts";
import { now } from "../platform/clock.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { Failure } from "../platform/failure.ts";
import { appOrigin } from "../shopify.server.ts";
import { audit } from "../audit/index.server.ts";

function keyIdOf({ params }: AdminRequest): string {
  return params["keyId"] ?? "";
}

export const loader = adminLoader(async (request) => {
  const apiKey = await keyOfShop(request.shop.id, keyIdOf(request));
  if (!apiKey) throw notFound();
  return { apiKey, at: now(), idempotencyKey: request.idempotencyKey, origin: appOrigin() };
});

export const action = adminAction({
  rotate: form(rotateKeyForm, (submission, { overlap }) =>
    submission.runIdempotently(issuedKeySchema, async (tx) => {
      const issued = await rotateKey(tx, submission.shop.id, keyIdOf(submission), overlap);
      if (!issued)
        return new Failure("not_found", "This key isn't active, or it was already rotated. Reload the page.");
      if (issued instanceof Failure) return issued;
      const details = { name: issued.name, to: issued.keyId };
      await audit(tx, { ...actorOf(submission), action: "api_key.rotated", subject: keyIdOf(submission), details });
      return issued;
    }),
  ),
  revoke: form(emptyForm, (submission) =>
    transaction(submission.shop.id, async (tx) => {
      const revoked = await revokeKey(tx, submission.shop.id, keyIdOf(submission));
      if (!revoked) return new Failure("not_found", "This key no longer exists.");
      const { keyId, name } = revoked.key;
      if (revoked.revokedNow) {
        await audit(tx, { ...actorOf(submission), action: "api_key.revoked", subject: keyId, details: { name } });
      }
      return true;
    }),
  ),
  change: form(changeKeyForm, (submission, fields) =>
    transaction(submission.shop.id, async (tx) => {
      const keyId = keyIdOf(submission);
      const entry = { ...actorOf(submission), subject: keyId };
      const changed = await changeKey(tx, submission.shop.id, keyId, fields);
      if (!changed) return new Failure("not_found", "This key isn't active. Reload the page.");
      if (changed.from !== changed.to) await audit(tx, { ...entry, action: "api_key.changed", details: changed });
      if (fields.kind !== "publishable") return true;
      const known = await setAllowedOrigins(tx, submission.shop.id, keyId, fields.origins);
      const [from = "", to] = [known?.before.join(", "), fields.origins.join(", ")];
      const details = { name: fields.name, from, to };
      if (from !== to) await audit(tx, { ...entry, action: "api_key.origins_changed", details });
      return true;
    }),
  ),
  try: form(sampleRequestForm, (submission, { scope }) =>
    sampleRequestToken(submission.shop.id, keyIdOf(submission), scope),
  ),
});

export const clientAction = formClientAction;

export const shouldRevalidate = revalidateUnlessFailed;

export default function ApiKey() {
  return <KeyPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
