import { useRef, useState } from "preact/hooks";
import type { List, Output } from "@wishlist-headless/sdk";
import { FailureBanner } from "./failure-banner.tsx";
import { nameOf } from "./messages.ts";
import { NameSharer } from "./name-sharer.tsx";
import { failureOf, service, type Failure } from "./service.ts";
import { t } from "./texts.ts";

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
  const modal = useRef<HTMLElementTagNameMap["s-modal"]>(null);
  const [link, setLink] = useState<Link>();
  const [failure, setFailure] = useState<Failure>();
  const [copyFailed, setCopyFailed] = useState(false);
  const [busy, setBusy] = useState(false);
  const clipboard = `${id}-link`;
  const about = link ? encodeURIComponent(subjectOf(list, link.sharedBy)) : "";
  const url = link ? encodeURIComponent(link.shareUrl) : "";

  async function load(): Promise<void> {
    setLink(undefined);
    setFailure(undefined);
    setCopyFailed(false);
    try {
      setLink(await service.lists.share({ listId: list.listId }));
    } catch (error) {
      setFailure(failureOf(error));
    }
  }

  async function stop(): Promise<void> {
    setBusy(true);
    try {
      await service.lists.revokeShareLink({ listId: list.listId });
      modal.current?.hideOverlay();
      void shopify.toast.show(t("sharing_stopped"));
    } catch (error) {
      setFailure(failureOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <s-modal id={id} ref={modal} heading={t("share_named", { name: nameOf(list) })} onShow={() => void load()}>
      <s-stack gap="base">
        {failure && (
          <FailureBanner
            heading={t("errors.heading")}
            failure={failure}
            onRetry={() => void (link ? stop() : load())}
          />
        )}
        {!link && !failure && <s-spinner accessibilityLabel={t("creating_link")} />}
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
              onCopy={() => void shopify.toast.show(t("copied"))}
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
        <s-button slot="secondary-actions" tone="critical" loading={busy} onClick={() => void stop()}>
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
