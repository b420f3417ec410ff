import type { Scenario } from "./scenario.ts";

export const linkCut: Scenario = {
  name: "link-cut",
  title: "Database connections reset and refused for 5 s",
  seconds: 5,
  inject: ({ proxy }) => proxy.refuse(),
  heal: ({ proxy }) => proxy.open(),
};

export const linkSilent: Scenario = {
  name: "link-silent",
  title: "Database link silent (no packet arrives) for 20 s",
  seconds: 20,
  inject: ({ proxy }) => proxy.silence(),
  heal: ({ proxy }) => proxy.open(),
};

export const linkSlow: Scenario = {
  name: "link-slow",
  title: "200 ms latency and 5 % loss on the database link for 20 s (30 operations/s)",
  seconds: 20,
  perSecond: 30,
  inject({ proxy }) {
    proxy.link = { delayMs: 100, loss: 0.05 };
  },
  heal: ({ proxy }) => proxy.open(),
};

export const redisGone: Scenario = {
  name: "redis-gone",
  title: "Redis gone for 10 s, and back empty",
  seconds: 10,
  inject: ({ redis }) => redis.stop(),
  heal: ({ redis }) => redis.start(),
  goal: { refusals: false },
};

export const redisHangs: Scenario = {
  name: "redis-hangs",
  title: "Redis suspended for 10 s",
  seconds: 10,
  inject: ({ redis }) => redis.hang(),
  heal: ({ redis }) => redis.resume(),
  goal: { refusals: false },
};
