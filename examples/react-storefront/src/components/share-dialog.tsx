import { useLists } from "@wishlist-headless/react";
import { WishlistError, type List } from "@wishlist-headless/sdk";
import { useEffect, useState, type ReactElement } from "react";
import { messageOf } from "../error-messages.ts";
import { nameOf } from "../list-name.ts";
import { notify } from "../notices.ts";
import { client } from "../client.ts";
import { Dialog } from "./dialog.tsx";

/** Shows the link under which everybody can read a list. Opening the dialog creates it, unless there is one. */
export function ShareDialog({ list, onClose }: { list: List; onClose: () => void }): ReactElement {
  const { listId } = list;
  const { reload } = useLists();
  const [url, setUrl] = useState("");
  const [expiry, setExpiry] = useState("");
  const [message, setMessage] = useState("");

  useEffect(() => {
    const controller = new AbortController();
    client.lists.share({ listId }, { signal: controller.signal }).then(
      ({ shareToken, expiresAt }) => {
        setUrl(`${location.origin}/shared/${shareToken}`);
        setExpiry(new Date(expiresAt).toLocaleDateString());
        reload();
      },
      (error: unknown) => {
        if (error instanceof WishlistError) setMessage(messageOf(error));
      },
    );
    return () => controller.abort();
  }, [listId, reload]);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(url);
      setMessage("The link was copied.");
    } catch {
      setMessage("Couldn't copy. Select the link and copy it manually.");
    }
  }

  async function revoke(): Promise<void> {
    try {
      await client.lists.revokeShareLink({ listId });
      reload();
      onClose();
      notify("The link doesn't work any more.");
    } catch (error) {
      if (error instanceof WishlistError) setMessage(messageOf(error));
    }
  }

  return (
    <Dialog title={`Share ${nameOf(list)}`} onClose={onClose}>
      <label className="share-link">
        Everybody with this link can see the list, but not your notes.
        <input readOnly value={url} placeholder="Creating a link…" onFocus={(event) => event.target.select()} />
      </label>
      <p className="muted">{expiry && `The link works until ${expiry}.`}&nbsp;</p>
      <div className="actions">
        <button className="primary" disabled={!url} onClick={() => void copy()}>
          Copy link
        </button>
        <button disabled={!url} onClick={() => void revoke()}>
          Stop sharing
        </button>
      </div>
      <p role="status">{message}</p>
    </Dialog>
  );
}
