import {
  getNamedType,
  isCompositeType,
  Kind,
  OperationTypeNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type SelectionSetNode,
  type ValueNode,
} from "graphql";

const MUTATION = 10;
const CONNECTION = 2;

type Variables = Readonly<Record<string, unknown>>;

/** Returns the most items that a field can return: `first` or `last`, or the length of `ids`. */
function requestedSize(field: FieldNode, variables: Variables): number | undefined {
  for (const { name, value } of field.arguments ?? []) {
    const given = resolved(value, variables);
    if ((name.value === "first" || name.value === "last") && typeof given === "number") return given;
    if (name.value === "ids" && Array.isArray(given)) return given.length;
  }
  return undefined;
}

function resolved(value: ValueNode, variables: Variables): unknown {
  if (value.kind === Kind.VARIABLE) return variables[value.name.value];
  if (value.kind === Kind.INT) return Number(value.value);
  if (value.kind === Kind.LIST) return value.values;
  return undefined;
}

/**
 * Returns the points that a query requests, calculated as Shopify does: a scalar costs 0, an object 1, a connection 2 plus
 * its size times the cost of an item, a mutation 10.
 */
export function requestedCost(schema: GraphQLSchema, document: DocumentNode, variables: Variables): number {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }

  // Types are resolved once for the whole document; the sum then follows fragments wherever they are used.
  const composite = new Set<FieldNode>();
  const info = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(info, {
      Field(field) {
        const type = info.getType();
        if (type && isCompositeType(getNamedType(type))) composite.add(field);
      },
    }),
  );

  function selection(set: SelectionSetNode | undefined, wrapper: boolean): number {
    let sum = 0;
    for (const node of set?.selections ?? []) {
      if (node.kind === Kind.FIELD) sum += fieldCost(node, wrapper);
      else if (node.kind === Kind.INLINE_FRAGMENT) sum += selection(node.selectionSet, wrapper);
      else sum += selection(fragments.get(node.name.value)?.selectionSet, wrapper);
    }
    return sum;
  }

  /** @param free inside a connection, whose price includes edges, nodes and pageInfo */
  function fieldCost(field: FieldNode, free: boolean): number {
    if (!composite.has(field)) return 0;
    const name = field.name.value;
    if (free && (name === "edges" || name === "nodes" || name === "pageInfo")) {
      return name === "pageInfo" ? 0 : selection(field.selectionSet, true);
    }
    const count = requestedSize(field, variables);
    const inner = selection(field.selectionSet, count !== undefined || free);
    if (count !== undefined && name !== "nodes") return CONNECTION + count * Math.max(1, inner);
    if (count !== undefined) return count * Math.max(1, inner);
    return free && name === "node" ? Math.max(1, inner) : 1 + inner;
  }

  let cost = 0;
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const mutation = definition.operation === OperationTypeNode.MUTATION;
    cost += selection(definition.selectionSet, false) + (mutation ? MUTATION : 0);
  }
  return cost;
}
