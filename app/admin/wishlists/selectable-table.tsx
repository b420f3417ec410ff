import { useCallback, useEffect, useRef, type MouseEvent, type ReactNode } from "react";
import { Headings, type Column } from "../list-table.tsx";
import type { Selection } from "./use-selection.ts";

/** Looks like Polaris' `Checkbox`, which would render ten elements per row. */
function Checkbox(props: { label: string; checked: boolean; mixed?: boolean; onChange: (checked: boolean) => void }) {
  const { label, checked, mixed = false, onChange } = props;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.indeterminate = mixed;
  }, [mixed]);
  return (
    <label>
      <input
        ref={input}
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  );
}

/** Shift+click selects a range of rows, so the browser must not select text. */
function preventTextSelection(event: MouseEvent): void {
  if (event.shiftKey) event.preventDefault();
}

/** A row, which begins with its checkbox. */
export function SelectableRow(props: {
  id: string;
  /** accessible name of the checkbox */
  label: string;
  selected: boolean;
  onSelect: (id: string, selected: boolean) => void;
  /** `td` elements in the order of the columns */
  children: ReactNode;
}) {
  const { id, label, selected, onSelect, children } = props;
  return (
    <tr {...(selected ? { className: "list-table-selected" } : {})}>
      <td className="list-table-checkbox">
        <Checkbox label={label} checked={selected} onChange={(checked) => onSelect(id, checked)} />
      </td>
      {children}
    </tr>
  );
}

/** A table whose rows are selected one by one, as ranges with the shift key, or all at once. */
export function SelectableTable<Row>(props: {
  /** accessible name */
  label: string;
  /** accessible name of the checkbox that selects all rows */
  allLabel: string;
  columns: readonly Column[];
  rows: readonly Row[];
  /** @returns the id of a row in the selection */
  idOf: (row: Row) => string;
  selection: Selection;
  /** shown above the headings while rows are selected; rendered always */
  bar: ReactNode;
  onRowClick: (event: MouseEvent<HTMLElement>) => void;
  /** @returns a memoized component with a `SelectableRow`; `onSelect` keeps its identity */
  renderRow: (row: Row, id: string, selected: boolean, onSelect: (id: string, selected: boolean) => void) => ReactNode;
}) {
  const { label, allLabel, columns, rows, idOf, bar, onRowClick, renderRow } = props;
  const { selected, select, selectAll } = props.selection;
  const selectedIds = new Set(selected);
  // A change event does not report modifier keys.
  const shiftPressed = useRef(false);
  const onSelect = useCallback((id: string, checked: boolean) => select(id, checked, shiftPressed.current), [select]);
  return (
    <>
      {/* Rendered with the page, and shown by the first selection: mounting its buttons then would delay it. */}
      <div className={selected.length > 0 ? "list-table-bar" : "list-table-bar list-table-bar-hidden"}>
        <div>{bar}</div>
      </div>
      <table aria-label={label}>
        <thead>
          <tr>
            {/* The bar covers the other headings, which therefore keep their style. */}
            <th
              scope="col"
              className={selected.length > 0 ? "list-table-checkbox list-table-beside-bar" : "list-table-checkbox"}
            >
              <Checkbox
                label={allLabel}
                checked={selected.length === rows.length}
                mixed={selected.length > 0 && selected.length < rows.length}
                onChange={selectAll}
              />
            </th>
            <Headings columns={columns} />
          </tr>
        </thead>
        <tbody
          onClickCapture={({ shiftKey }) => {
            shiftPressed.current = shiftKey;
          }}
          onMouseDown={preventTextSelection}
          onClick={onRowClick}
        >
          {rows.map((row) => {
            const id = idOf(row);
            return renderRow(row, id, selectedIds.has(id), onSelect);
          })}
        </tbody>
      </table>
    </>
  );
}
