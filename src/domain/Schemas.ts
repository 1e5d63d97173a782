import { Schema } from "effect"

/** An unvalidated JSON object. */
export type Json = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A value passed between threads of this program, which is trusted and therefore not validated. */
export const uncheckedSchema = <A>() => Schema.declare((_value: unknown): _value is A => true)
