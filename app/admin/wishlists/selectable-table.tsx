import { useEffect, useRef, type MouseEvent } from "react";

/** Looks like Polaris' `Checkbox`, which would render ten elements per row. */
export function RowCheckbox(props: {
  label: string;
  checked: boolean;
  mixed?: boolean;
  onChange: (checked: boolean) => void;
}) {
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
export function preventTextSelection(event: MouseEvent): void {
  if (event.shiftKey) event.preventDefault();
}
