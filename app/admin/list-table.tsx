import type { MouseEvent, ReactNode } from "react";
import { newTabUrl } from "./frame-parameters.ts";
import { useNarrow } from "./use-narrow.ts";

export interface Column {
  title: string;
  /** for numbers */
  alignment?: "end";
}

export interface ListRow {
  id: string;
  /** `td` elements in the order of the columns */
  cells: ReactNode;
  /** content on a phone, without horizontal scrolling */
  narrow: ReactNode;
}

const INTERACTIVE = "a, button, input, label, select";

/** Opens the row's primary link on a click anywhere in the row. */
export function openRow(event: MouseEvent<HTMLElement>): void {
  const clicked = event.target;
  if (!(clicked instanceof Element) || clicked.closest(INTERACTIVE)) return;
  const link = clicked.closest("tr, li")?.querySelector<HTMLAnchorElement>("a[data-primary-link]");
  if (!link) return;
  if (event.ctrlKey || event.metaKey) window.open(newTabUrl(link.href), "_blank");
  else link.click();
}

export function Headings({ columns }: { columns: readonly Column[] }) {
  return columns.map(({ title, alignment }) => (
    <th key={title} scope="col" {...(alignment === "end" ? { className: "list-table-end" } : {})}>
      {title}
    </th>
  ));
}

/**
 * Renders a list in the style of Polaris' `IndexTable`, which re-measures and re-renders all rows at each change: on a slow machine, fifty
 * rows take a second to respond to a click.
 */
export function ListTable(props: {
  /** accessible name */
  label: string;
  columns: readonly Column[];
  rows: readonly ListRow[];
  /** whether each row contains a link with `dataPrimaryLink` */
  hasLinks?: boolean;
}) {
  const { label, columns, rows, hasLinks = false } = props;
  const narrow = useNarrow();
  const handlers = hasLinks ? { onClick: openRow } : {};
  return (
    <div className={hasLinks ? "list-table list-table-links" : "list-table"}>
      {narrow ? (
        <ul aria-label={label} {...handlers}>
          {rows.map((row) => (
            <li key={row.id}>{row.narrow}</li>
          ))}
        </ul>
      ) : (
        <table aria-label={label}>
          <thead>
            <tr>
              <Headings columns={columns} />
            </tr>
          </thead>
          <tbody {...handlers}>
            {rows.map(({ id, cells }) => (
              <tr key={id}>{cells}</tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
