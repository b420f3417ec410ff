import { useLists } from "@wishlist-headless/react";
import type { List } from "@wishlist-headless/sdk";
import { useId, useState, type ReactElement } from "react";
import { messageOf } from "../error-messages.ts";

/** Asks for a list's name. A name that is refused stays in the field, with the reason. */
export function ListNameForm({
  label,
  button,
  initialName = "",
  submit,
  onDone,
}: {
  label: string;
  button: string;
  initialName?: string;
  submit: (name: string) => Promise<List | undefined>;
  onDone: (list: List) => void;
}): ReactElement {
  const { error } = useLists();
  const [name, setName] = useState(initialName);
  const [isRefused, setRefused] = useState(false);
  const errorId = useId();

  async function send(): Promise<void> {
    const list = await submit(name.trim());
    setRefused(!list);
    if (!list) return;
    setName("");
    onDone(list);
  }

  return (
    <form
      className="list-name"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label>
        {label}
        <input
          required
          pattern=".*\S.*"
          maxLength={100}
          value={name}
          aria-invalid={isRefused}
          aria-describedby={errorId}
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      <button className="primary">{button}</button>
      <p id={errorId} className="error" role="alert">
        {isRefused && error && messageOf(error)}
      </p>
    </form>
  );
}
