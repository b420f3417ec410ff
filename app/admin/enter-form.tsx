import type { ReactNode } from "react";

/** A form that Enter in one of its fields submits. Its checks are the server's, so that all errors stand at their fields at once. */
export function EnterForm({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      <input type="submit" hidden />
    </form>
  );
}
