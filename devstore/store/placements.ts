/** Which blocks of the theme extension the merchant has switched on, with the settings he gave them. */
export interface Placements {
  isOn: (block: string) => boolean;
  turn: (block: string, on: boolean) => void;
  settings: (block: string) => Readonly<Record<string, unknown>>;
  set: (block: string, settings: Readonly<Record<string, unknown>>) => void;
  reset: () => void;
}

export function createPlacements(onAtFirst: boolean): Placements {
  const turned = new Map<string, boolean>();
  const given = new Map<string, Readonly<Record<string, unknown>>>();
  return {
    isOn: (block) => turned.get(block) ?? onAtFirst,
    turn: (block, on) => void turned.set(block, on),
    settings: (block) => given.get(block) ?? {},
    set: (block, settings) => void given.set(block, settings),
    reset() {
      turned.clear();
      given.clear();
    },
  };
}
