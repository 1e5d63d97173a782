/** A JSON Schema as the API's description has them. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<Schema>
  readonly items?: Schema | false
  readonly prefixItems?: ReadonlyArray<Schema>
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
  readonly description?: string
}

export const nameIn = ($ref: string): string => $ref.slice($ref.lastIndexOf("/") + 1)

/** A comment above a declaration. */
export const commentOf = (text: string | undefined, indent = ""): string =>
  text === undefined || text === "" ? "" : `${indent}/** ${text.replaceAll("*/", "*\\/")} */\n`

const keyOf = (name: string) => (/^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name))

const typeOfObject = ({ properties = {}, required = [] }: Schema, indent: string): string => {
  const inner = `${indent}  `
  const fields = Object.entries(properties).map(
    ([name, schema]) =>
      `${commentOf(schema.description, inner)}${inner}${keyOf(name)}${required.includes(name) ? "" : "?"}: ${typeOf(schema, inner)}\n`
  )
  return fields.length === 0 ? "Record<string, unknown>" : `{\n${fields.join("")}${indent}}`
}

const elementOf = (schema: Schema, indent: string) => {
  const type = typeOf(schema, indent)
  return type.includes(" | ") ? `(${type})` : type
}

/** Prints the TypeScript type of a schema. */
export const typeOf = (schema: Schema, indent = ""): string => {
  if (schema.$ref !== undefined) return nameIn(schema.$ref)
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(" | ")
  if (schema.anyOf !== undefined)
    return [...new Set(schema.anyOf.map((one) => typeOf(one, indent)))].join(" | ")
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type
    case "integer":
    case "number":
      return "number"
    case "array": {
      const { items, prefixItems } = schema
      if (prefixItems !== undefined && !items)
        return `[${prefixItems.map((one) => typeOf(one, indent)).join(", ")}]`
      return items ? `${elementOf(items, indent)}[]` : "unknown[]"
    }
    case "object":
      return typeOfObject(schema, indent)
    default:
      return "unknown"
  }
}

/** The names of the schemas that a description uses, with those that they use themselves. */
export const namesUsed = (used: unknown, schemas: Readonly<Record<string, Schema>>): ReadonlySet<string> => {
  const names = new Set<string>()
  const look = (value: unknown) => {
    for (const [, name = ""] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      if (!names.has(name)) {
        names.add(name)
        look(schemas[name])
      }
  }
  look(used)
  return names
}
