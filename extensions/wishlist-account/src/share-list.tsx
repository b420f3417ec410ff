import { useState } from "preact/hooks";
import type { List, Output } from "@wishlist-headless/sdk";
import { FailureBanner } from "./failure-banner.tsx";
import { messageOf, nameOf } from "./messages.ts";
import { NameSharer } from "./name-sharer.tsx";
import { service } from "./service.ts";
import { showToast, t } from "./texts.ts";
import { useRequest } from "./use-request.ts";

type Link = Output<"lists.share">;

interface Props {
  id: string;
  list: List;
}

/** Returns what a message with the link is about: the names of the list and of the sharer, as far as there are any. */
function subjectOf({ name }: List, sharedBy: Link["sharedBy"]): string {
  return [name, sharedBy && t("shared_by", { name: sharedBy })].filter(Boolean).join(" – ") || t("title");
}

/** Creates the list's link, and lets the customer copy or revoke it. */
export function ShareList({ id, list }: Props) {
  const creation = useRequest();
  const revocation = useRequest();
  const [link, setLink] = useState<Link>();
  const [copyFailed, setCopyFailed] = useState(false);
  const clipboard = `${id}-link`;
  const about = link ? encodeURIComponent(subjectOf(list, link.sharedBy)) : "";
  const url = link ? encodeURIComponent(link.shareUrl) : "";

  function create(): void {
    setLink(undefined);
    setCopyFailed(false);
    revocation.reset();
    void creation.run(() => service.lists.share({ listId: list.listId }), setLink);
  }

  function stop(): void {
    void revocation.run(
      () => service.lists.revokeShareLink({ listId: list.listId }),
      () => showToast("sharing_stopped"),
    );
  }

  return (
    <s-modal id={id} ref={revocation.modal} heading={t("share_named", { name: nameOf(list) })} onShow={create}>
      <s-stack gap="base">
        {creation.failure && (
          <FailureBanner heading={t("errors.heading")} failure={creation.failure} onRetry={create} />
        )}
        {revocation.failure && <s-banner tone="critical">{messageOf(revocation.failure)}</s-banner>}
        {creation.busy && <s-spinner accessibilityLabel={t("creating_link")} />}
        {link && (
          <s-stack gap="base">
            <s-paragraph>
              {t("share_text", {
                date: shopify.i18n.formatDate(new Date(link.expiresAt), { dateStyle: "long" }),
              })}
            </s-paragraph>
            <s-text-field label={t("share_link")} value={link.shareUrl} readOnly />
            {copyFailed && <s-text tone="critical">{t("errors.not_copied")}</s-text>}
            <s-clipboard-item
              id={clipboard}
              text={link.shareUrl}
              onCopy={() => showToast("copied")}
              onCopyError={() => setCopyFailed(true)}
            />
            <s-stack direction="inline" gap="small">
              <s-button href={`mailto:?subject=${about}&body=${url}`}>{t("share_mail")}</s-button>
              <s-button href={`https://wa.me/?text=${about}%20${url}`} target="_blank">
                {t("share_whatsapp")}
              </s-button>
            </s-stack>
            <NameSharer listId={list.listId} sharedBy={link.sharedBy ?? ""} onSaved={setLink} />
          </s-stack>
        )}
      </s-stack>
      {link && (
        <s-button slot="secondary-actions" tone="critical" loading={revocation.busy} onClick={stop}>
          {t("stop_sharing")}
        </s-button>
      )}
      {link && (
        <s-button slot="primary-action" variant="primary" command="--copy" commandFor={clipboard}>
          {t("copy")}
        </s-button>
      )}
    </s-modal>
  );
}
