import { setTimeout as after } from "node:timers/promises";
import pg from "pg";
import type { PostgresNode } from "../rig/postgres-node.ts";
import type { Rig } from "../rig/rig.ts";
import type { Scenario } from "./scenario.ts";
import { fill, free } from "../rig/volume.ts";

async function promote({ database, proxy }: Rig): Promise<void> {
  if (!database) return;
  await database.promote();
  proxy.route({ host: "127.0.0.1", port: database.primary.port });
}

/** Makes the former primary the standby of the promoted one. */
async function replicate({ database }: Rig): Promise<void> {
  await database?.replicate();
}

/** A scenario whose cause ends when it has been injected. */
function restart(name: string, title: string, inject: (primary: PostgresNode) => Promise<void>): Scenario {
  return { name, title, needs: "postgres", seconds: 0, inject: ({ database }) => database && inject(database.primary) };
}

export const postgresKilled = restart(
  "postgres-killed",
  "`kill -9` of PostgreSQL's postmaster; its supervisor restarts it",
  async (primary) => {
    primary.process.signal("SIGKILL");
    await after(1_000);
    await primary.accepts();
  },
);

export const postgresRestarted = restart("postgres-restarted", "`pg_ctl restart -m fast`", async (primary) => {
  await primary.stop("fast");
  await primary.start();
});

export const standbyPromoted: Scenario = {
  name: "standby-promoted",
  title: "Primary killed, standby promoted after 2 s, proxy follows",
  needs: "postgres",
  seconds: 2,
  async inject({ database }) {
    if (!database) return;
    const { primary } = database;
    const stopped = primary.process.stop("SIGKILL");
    primary.crash();
    await stopped;
  },
  heal: promote,
  after: replicate,
};

export const primaryVanished: Scenario = {
  name: "primary-vanished",
  title: "Primary's machine gone without closing connections, standby promoted after 2 s",
  needs: "postgres",
  seconds: 2,
  async inject({ database, proxy }) {
    proxy.vanish();
    proxy.silence();
    await database?.primary.stop("immediate");
  },
  async heal(rig) {
    await promote(rig);
    rig.proxy.open();
  },
  after: replicate,
  // The old connections are silent until their time-outs.
  goal: { recoveryMs: 15_000 },
};

export const postgresPaused: Scenario = {
  name: "postgres-paused",
  title: "PostgreSQL paused (SIGSTOP of all its processes) for 20 s",
  needs: "postgres",
  seconds: 20,
  inject: ({ database }) => database?.primary.pause(),
  heal: ({ database }) => database?.primary.resume(),
};

export const standbyGone: Scenario = {
  name: "standby-gone",
  title: "The only synchronous standby gone for 20 s",
  needs: "postgres",
  seconds: 20,
  inject: ({ database }) => database?.standby.stop("immediate"),
  async heal({ database }) {
    await database?.standby.start();
    await database?.inStep();
  },
};

let occupants: pg.Client[] = [];

/** Opens connections until the server refuses more. */
async function occupy(url: string): Promise<void> {
  for (;;) {
    const client = new pg.Client({ connectionString: url, application_name: "another client" });
    client.on("error", () => undefined);
    try {
      await client.connect();
      occupants.push(client);
    } catch {
      return;
    }
  }
}

export const connectionsExhausted: Scenario = {
  name: "connections-exhausted",
  title: "Another client holds all of `max_connections` for 10 s",
  needs: "postgres",
  seconds: 10,
  async inject({ database }) {
    const { primary } = database ?? {};
    if (!primary) return;
    const ours = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'wishlist%'";
    // The service reconnects while its connections are taken over.
    for (let round = 0; round < 5; round++) {
      await Promise.all(Array.from({ length: 8 }, () => occupy(primary.url.replace("postgres@", "wishlist@"))));
      await primary.rows(ours);
    }
    await occupy(primary.url.replace("postgres@", "wishlist@"));
  },
  async heal() {
    await Promise.all(occupants.map((client) => client.end()));
    occupants = [];
  },
};

export const diskFull: Scenario = {
  name: "disk-full",
  title: "Disk of the primary full for 15 s",
  needs: "volumes",
  seconds: 15,
  inject: ({ database }) => database && fill(database.primary.volume),
  async heal({ database }) {
    if (!database) return;
    await free(database.primary.volume);
    await database.primary.accepts();
  },
};
