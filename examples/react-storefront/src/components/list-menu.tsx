import { useLists } from "@wishlist-headless/react";
import type { List } from "@wishlist-headless/sdk";
import { useState, type ReactElement } from "react";
import { useNavigate } from "react-router";
import { nameOf } from "../list-name.ts";
import { notify } from "../notices.ts";
import { useOwner } from "../session.ts";
import { Dialog } from "./dialog.tsx";
import { ListNameForm } from "./list-name-form.tsx";
import { ShareDialog } from "./share-dialog.tsx";

/** What can be done with a whole list. */
export function ListMenu({ list }: { list: List }): ReactElement {
  const [open, setOpen] = useState<"rename" | "delete" | "share">();
  const owner = useOwner();
  const close = () => setOpen(undefined);
  return (
    <div className="actions">
      {owner === "customer" && <button onClick={() => setOpen("share")}>{list.shared ? "Shared" : "Share"}</button>}
      <button onClick={() => setOpen("rename")}>Rename</button>
      {!list.isDefault && <button onClick={() => setOpen("delete")}>Delete</button>}
      {open === "share" && <ShareDialog list={list} onClose={close} />}
      {open === "rename" && <RenameDialog list={list} onClose={close} />}
      {open === "delete" && <DeleteDialog list={list} onClose={close} />}
    </div>
  );
}

function RenameDialog({ list, onClose }: { list: List; onClose: () => void }): ReactElement {
  const { rename } = useLists();
  return (
    <Dialog title="Rename list" onClose={onClose}>
      <ListNameForm
        label="Name"
        button="Rename"
        initialName={nameOf(list)}
        submit={(name) => rename(list.listId, name)}
        onDone={onClose}
      />
    </Dialog>
  );
}

function DeleteDialog({ list, onClose }: { list: List; onClose: () => void }): ReactElement {
  const { remove } = useLists();
  const navigate = useNavigate();

  function deleteList(): void {
    // Leave first: the list is gone from the page as soon as it is removed.
    void navigate("/wishlist");
    void remove(list.listId).then((removed) => {
      if (removed) notify(`${nameOf(list)} was deleted.`);
    });
  }

  return (
    <Dialog title={`Delete ${nameOf(list)}?`} onClose={onClose}>
      <p>
        {list.itemCount === 0
          ? "The list is empty."
          : `It has ${list.itemCount} saved items, which are deleted with it.`}
      </p>
      <button className="primary" onClick={deleteList}>
        Delete list
      </button>
    </Dialog>
  );
}
