/** Checks the names of the SDK's methods, which the endpoints declare (`sdkMethod`), and makes groups of them. */

export interface NamedOperation {
  operationId: string;
  /** such as `lists.items.add` */
  name: string;
  /** of HTTP, in upper case */
  method: string;
}

/** Groups and methods by name. */
export interface Group<Method> {
  [name: string]: Method | Group<Method>;
}

/** A verb means the same in every group, so that a developer who knows one group can guess the next. */
const VERBS: Readonly<Record<string, string>> = {
  get: "GET",
  list: "GET",
  stream: "GET",
  create: "POST",
  add: "POST",
  update: "PATCH",
  delete: "DELETE",
  remove: "DELETE",
  revoke: "DELETE",
};

/** A group, perhaps a group in it, and a method. */
const NAME = /^[a-z][A-Za-z]*(?:\.[a-z][A-Za-z]*){1,2}$/;

function problemOf({ name, method }: NamedOperation, all: readonly NamedOperation[]): string | undefined {
  if (!NAME.test(name)) return "is not a group and a method, such as `lists.items.add`";
  const same = all.filter((other) => other.name === name);
  if (same.length > 1) return `is the method of ${same.map(({ operationId }) => operationId).join(" and ")}`;
  const below = all.find((other) => other.name.startsWith(`${name}.`));
  if (below) return `can't be a method and the group of ${below.name}`;
  const [verb = ""] = /^[a-z]+/.exec(name.slice(name.lastIndexOf(".") + 1)) ?? [];
  const meant = VERBS[verb];
  if (meant !== undefined && meant !== method) return `has the verb of ${meant} operations, and this one is ${method}`;
  const verbs = Object.keys(VERBS).filter((known) => VERBS[known] === method);
  if (["PATCH", "DELETE"].includes(method) && meant === undefined)
    return `needs one of the verbs of ${method} operations: ${verbs.join(", ")}`;
  return undefined;
}

/** @throws Error that names each operation whose method has a name that can't be */
export function groupMethods<Operation extends NamedOperation>(operations: readonly Operation[]): Group<Operation> {
  const problems = operations.flatMap((operation) => {
    const problem = problemOf(operation, operations);
    return problem === undefined ? [] : [`${operation.operationId}: the SDK's method ${operation.name} ${problem}.`];
  });
  if (problems.length > 0) throw new Error(problems.join("\n"));
  return group(operations, "");
}

/** @param path of the group, with a dot at its end */
function group<Operation extends NamedOperation>(operations: readonly Operation[], path: string): Group<Operation> {
  const within = operations.filter(({ name }) => name.startsWith(path));
  const members = within.map((operation): [string, Operation | Group<Operation>] => {
    const [own = "", ...below] = operation.name.slice(path.length).split(".");
    return [own, below.length === 0 ? operation : group(operations, `${path}${own}.`)];
  });
  return Object.fromEntries(members);
}
