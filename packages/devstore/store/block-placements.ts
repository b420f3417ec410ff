/** The blocks of the theme extension that the merchant has switched on, with their settings. */
export interface BlockPlacements {
  isOn: (block: string) => boolean;
  switch: (block: string, on: boolean) => void;
  settings: (block: string) => Readonly<Record<string, unknown>>;
  configure: (block: string, settings: Readonly<Record<string, unknown>>) => void;
  reset: () => void;
}

/** @param onByDefault applies to blocks that were never switched */
export function createBlockPlacements(onByDefault: boolean): BlockPlacements {
  const switched = new Map<string, boolean>();
  const configured = new Map<string, Readonly<Record<string, unknown>>>();
  return {
    isOn: (block) => switched.get(block) ?? onByDefault,
    switch: (block, on) => void switched.set(block, on),
    settings: (block) => configured.get(block) ?? {},
    configure: (block, settings) => void configured.set(block, settings),
    reset() {
      switched.clear();
      configured.clear();
    },
  };
}
