import { useLists } from "@wishlist-headless/react";
import { useState, type ReactElement } from "react";
import { NavLink, useNavigate } from "react-router";
import { nameOf } from "../list-name.ts";
import { Dialog } from "./dialog.tsx";
import { ListNameForm } from "./list-name-form.tsx";

/** Links to the shopper's lists, and creates further ones. */
export function ListTabs({ listId }: { listId: string }): ReactElement {
  const { lists, create } = useLists();
  const [isCreating, setCreating] = useState(false);
  const navigate = useNavigate();
  return (
    <nav className="tabs" aria-label="Your lists">
      {lists.map((list) => (
        <NavLink
          key={list.listId}
          to={list.isDefault ? "/wishlist" : `/wishlist/${list.listId}`}
          aria-current={list.listId === listId ? "page" : undefined}
          end
        >
          {nameOf(list)} <span className="muted">{list.itemCount}</span>
        </NavLink>
      ))}
      <button className="plain" onClick={() => setCreating(true)}>
        + New list
      </button>
      {isCreating && (
        <Dialog title="New list" onClose={() => setCreating(false)}>
          <ListNameForm
            label="Name"
            button="Create"
            submit={create}
            onDone={(list) => {
              setCreating(false);
              void navigate(`/wishlist/${list.listId}`);
            }}
          />
        </Dialog>
      )}
    </nav>
  );
}
