import { useCallback, useMemo, useRef, useState } from "react";

export interface Selection {
  /** of what is on the page, in its order: what is not seen is not chosen */
  chosen: readonly string[];
  /** @param through with all between this one and the one chosen before */
  choose: (id: string, on: boolean, through: boolean) => void;
  chooseAll: (on: boolean) => void;
}

/** What is ticked on a page of a list. `choose` stays the same function, so that one row's change draws one row again. */
export function useSelection(ids: readonly string[]): Selection {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const shown = useRef(ids);
  shown.current = ids;
  const last = useRef<string>();

  const choose = useCallback((id: string, on: boolean, through: boolean) => {
    const all = shown.current;
    const [here, there] = [all.indexOf(id), through && last.current !== undefined ? all.indexOf(last.current) : -1];
    const meant = there === -1 ? [id] : all.slice(Math.min(here, there), Math.max(here, there) + 1);
    last.current = id;
    setTicked((before) => {
      const after = new Set(before);
      for (const one of meant) {
        if (on) after.add(one);
        else after.delete(one);
      }
      return after;
    });
  }, []);
  const chooseAll = useCallback((on: boolean) => {
    last.current = undefined;
    setTicked(new Set(on ? shown.current : []));
  }, []);
  return { chosen: useMemo(() => ids.filter((id) => ticked.has(id)), [ids, ticked]), choose, chooseAll };
}
