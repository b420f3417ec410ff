// Prisma's command line loads such packages at its start, so that only their use may fail.
const QUIET = ["__esModule", "default", "then"];
module.exports = new Proxy(
  {},
  {
    get(_, name) {
      if (typeof name === "symbol" || QUIET.includes(name)) return undefined;
      throw new Error(
        `"${name}" is part of a package that this project does not install, see docs/decisions/0017-dependencies.md.`,
      );
    },
  },
);
