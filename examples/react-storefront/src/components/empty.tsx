import type { ReactElement, ReactNode } from "react";

/** Explains a page, or a part of it (`h2`), that has nothing to show, and says what to do. */
export function Empty({
  heading: Heading = "h1",
  title,
  action,
  children,
}: {
  heading?: "h1" | "h2";
  title: string;
  action: ReactNode;
  children: ReactNode;
}): ReactElement {
  return (
    <section className="empty">
      <Heading>{title}</Heading>
      <p>{children}</p>
      {action}
    </section>
  );
}
