/** What is read of a JSON schema (https://json-schema.org/draft/2020-12), as the OpenAPI description holds it. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly items?: JsonSchema | ReadonlyArray<JsonSchema> | boolean
  readonly prefixItems?: ReadonlyArray<JsonSchema>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly format?: string
}

/** A field of an object: `links[].id` for what lies deeper. */
export interface Field {
  readonly name: string
  readonly type: string
  readonly optional: boolean
  readonly meaning: string
}

/** The schemas that have names. */
export type Named = Readonly<Record<string, JsonSchema>>

const nameOf = (ref: string) => ref.slice(ref.lastIndexOf("/") + 1)

/** The schema itself, where only its name stands there. */
export const resolved = (schema: JsonSchema, named: Named): JsonSchema =>
  schema.$ref === undefined ? schema : (named[nameOf(schema.$ref)] ?? schema)

const itemsOf = ({ items, prefixItems = [] }: JsonSchema): ReadonlyArray<JsonSchema> => {
  if (typeof items !== "object") return prefixItems
  return "length" in items ? items : [...prefixItems, items]
}

const listed = (texts: ReadonlyArray<string>) => [...new Set(texts)].join(" | ")

/** A schema's type as one line, such as `string | null`. */
export const typeOf = (schema: JsonSchema, named: Named): string => {
  const whole = resolved(schema, named)
  if (whole.enum !== undefined) return listed(whole.enum.map((value) => JSON.stringify(value)))
  if (whole.anyOf !== undefined) return listed(whole.anyOf.map((one) => typeOf(one, named)))
  if (whole.type === "array") {
    const items = listed(itemsOf(whole).map((one) => typeOf(one, named))) || "any"
    return items.includes(" ") ? `(${items})[]` : `${items}[]`
  }
  return whole.type ?? "any"
}

/** Limits that a sender must keep. */
const limitsOf = ({ maxItems, maxLength, maximum, minItems, minimum }: JsonSchema) =>
  [
    maxLength === undefined ? "" : `At most ${maxLength.toLocaleString("en")} characters.`,
    minItems === undefined || minItems === maxItems ? "" : `At least ${minItems}.`,
    maxItems === undefined
      ? ""
      : minItems === maxItems
        ? `Exactly ${maxItems}.`
        : `At most ${maxItems.toLocaleString("en")}.`,
    minimum === undefined ? "" : `From ${minimum}.`,
    maximum === undefined ? "" : `Up to ${maximum.toLocaleString("en")}.`
  ].filter((text) => text !== "")

/** What the schema library writes of its own checks, which `limitsOf` says better. */
const isMechanical = ({ description = "", title = "" }: JsonSchema) =>
  /^an? /.test(description) && (/^[a-zA-Z]+(\(.*\))?$/.test(title) || title === "")

const meaningOf = (schema: JsonSchema, named: Named): string => {
  const whole = resolved(schema, named)
  const own = isMechanical(whole) ? "" : (schema.description ?? whole.description ?? "")
  return [own, ...limitsOf(whole)].filter((text) => text !== "").join(" ")
}

/** Objects deeper than this are named, not opened. */
const DEEPEST = 4

const objectsIn = (schema: JsonSchema, named: Named): ReadonlyArray<readonly [string, JsonSchema]> => {
  const whole = resolved(schema, named)
  if (whole.properties !== undefined) return [["", whole]]
  if (whole.type === "array")
    return itemsOf(whole).flatMap((one) =>
      objectsIn(one, named).map(([path, inner]) => [`[]${path}`, inner] as const)
    )
  return (whole.anyOf ?? []).flatMap((one) => objectsIn(one, named))
}

/** The fields of an object and of the objects within it, in the order in which they are declared. */
export const fieldsOf = (schema: JsonSchema, named: Named, prefix = "", depth = 1): ReadonlyArray<Field> => {
  const fields = new Map<string, Field>()
  for (const [path, { properties = {}, required = [] }] of objectsIn(schema, named))
    for (const [key, value] of Object.entries(properties)) {
      const name = prefix === "" && path === "" ? key : `${prefix}${path}.${key}`.replace(/^\./, "")
      const optional = !required.includes(key)
      const known = fields.get(name)
      const type = typeOf(value, named)
      fields.set(name, {
        name,
        type: known === undefined ? type : listed([...known.type.split(" | "), type]),
        optional: optional || known?.optional === true,
        meaning: known?.meaning || meaningOf(value, named)
      })
      if (depth < DEEPEST)
        for (const inner of fieldsOf(value, named, name, depth + 1))
          if (!fields.has(inner.name)) fields.set(inner.name, inner)
    }
  return [...fields.values()]
}
