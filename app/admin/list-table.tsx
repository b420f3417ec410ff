import { useBreakpoints } from "@shopify/polaris";
import type { MouseEvent, ReactNode } from "react";
import { addressInNewTab } from "./frame-address.ts";

export interface Column {
  title: string;
  /** of numbers */
  alignment?: "end";
}

export interface ListRow {
  id: string;
  /** its `td`, by the columns */
  cells: ReactNode;
  /** the same on a phone: a few lines, and nothing has to be pushed aside to be seen */
  narrow: ReactNode;
}

const BY_ITSELF = "a, button, input, label, select";

/** A press anywhere in a row opens what the row is about. */
function open(event: MouseEvent<HTMLElement>): void {
  const pressed = event.target;
  if (!(pressed instanceof Element) || pressed.closest(BY_ITSELF)) return;
  const link = pressed.closest("tr, li")?.querySelector<HTMLAnchorElement>("a[data-primary-link]");
  if (!link) return;
  if (event.ctrlKey || event.metaKey) window.open(addressInNewTab(link.href), "_blank");
  else link.click();
}

function Headings({ columns }: { columns: readonly Column[] }) {
  return columns.map(({ title, alignment }) => (
    <th key={title} scope="col" {...(alignment === "end" ? { className: "list-table-end" } : {})}>
      {title}
    </th>
  ));
}

/**
 * A list, with the looks of Polaris' `IndexTable`. That one measures itself at each change, holds its first column fast, and draws every row
 * again for a single one: on a slow machine fifty rows take a second to answer a press.
 */
export function ListTable(props: {
  /** what the rows are, to those who can't see what is around the table */
  of: string;
  columns: readonly Column[];
  rows: readonly ListRow[];
  /** whether each row has a link with `dataPrimaryLink` */
  opens?: boolean;
}) {
  const { of, columns, rows, opens = false } = props;
  const { smDown: narrow } = useBreakpoints();
  const pressed = opens ? { onClick: open } : {};
  return (
    <div className={opens ? "list-table list-table-opens" : "list-table"}>
      {narrow ? (
        <ul aria-label={of} {...pressed}>
          {rows.map((row) => (
            <li key={row.id}>{row.narrow}</li>
          ))}
        </ul>
      ) : (
        <table aria-label={of}>
          <thead>
            <tr>
              <Headings columns={columns} />
            </tr>
          </thead>
          <tbody {...pressed}>
            {rows.map(({ id, cells }) => (
              <tr key={id}>{cells}</tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
