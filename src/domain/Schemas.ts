import { Schema } from "effect"

/** A JSON object nobody has vouched for. */
export type Json = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A value as it goes from one thread of this program to another: it is ours, so nothing of it is looked at. */
export const uncheckedSchema = <A>() => Schema.declare((_value: unknown): _value is A => true)
