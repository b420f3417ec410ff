import { useCallback, useMemo, useRef, useState } from "react";

export interface Selection {
  /** selected ids on the current page, in its order */
  selected: readonly string[];
  /** @param range also selects the items between this one and the previously selected one */
  select: (id: string, checked: boolean, range: boolean) => void;
  selectAll: (checked: boolean) => void;
}

/** Manages the selected rows of a list page. `select` keeps its identity, so that a change re-renders one row only. */
export function useSelection(ids: readonly string[]): Selection {
  const [checkedIds, setCheckedIds] = useState<ReadonlySet<string>>(new Set());
  const current = useRef(ids);
  current.current = ids;
  const last = useRef<string>();

  const select = useCallback((id: string, checked: boolean, range: boolean) => {
    const all = current.current;
    const here = all.indexOf(id);
    const there = range && last.current !== undefined ? all.indexOf(last.current) : -1;
    const changed = there === -1 ? [id] : all.slice(Math.min(here, there), Math.max(here, there) + 1);
    last.current = id;
    setCheckedIds((before) => {
      const after = new Set(before);
      for (const one of changed) {
        if (checked) after.add(one);
        else after.delete(one);
      }
      return after;
    });
  }, []);
  const selectAll = useCallback((checked: boolean) => {
    last.current = undefined;
    setCheckedIds(new Set(checked ? current.current : []));
  }, []);
  const selected = useMemo(() => ids.filter((id) => checkedIds.has(id)), [ids, checkedIds]);
  return { selected, select, selectAll };
}
