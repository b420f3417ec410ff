import type { ServiceProcess } from "../rig/services.ts";
import type { Rig } from "../rig/rig.ts";
import type { Scenario } from "./scenario.ts";

function clockAhead(name: string, title: string, of: (rig: Rig) => ServiceProcess | undefined): Scenario {
  return {
    name,
    title,
    needs: "faketime",
    seconds: 15,
    before: async (rig) => of(rig)?.useAdjustableClock(),
    inject: (rig) => of(rig)?.setClock("+2h"),
    heal: (rig) => of(rig)?.setClock("+0"),
    after: async (rig) => of(rig)?.useMachineClock(),
    goal: { refusals: false },
  };
}

export const webClock = clockAhead(
  "web-clock",
  "Clock of one web process two hours ahead for 15 s, and back",
  ({ webs: [web] }) => web,
);

export const workerClock = clockAhead(
  "worker-clock",
  "Clock of the worker two hours ahead for 15 s, and back",
  ({ worker }) => worker,
);
