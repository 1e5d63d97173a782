import type { identityOf } from "./identity.ts"
import { api } from "./platform.ts"
import type { makeWork } from "./work.ts"

/** The parts of the worker that are loaded when they are first needed, and what each leaves. */
export interface Parts {
  readonly keys: typeof identityOf
  readonly work: typeof makeWork
}

const NAMES = ["keys", "work"] as const

const nameOf = (part: keyof Parts) => `linkbower ${part}`

/** What a part leaves for those who load it. */
export const leavePart = <Name extends keyof Parts>(name: Name, part: Parts[Name]): void => {
  Object.assign(globalThis, { [nameOf(name)]: part })
}

/** Only Chrome's worker has it; it knows no `import()`. */
declare const importScripts: ((script: unknown) => void) | undefined
declare const trustedTypes: {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (address: string) => string }
  ) => { readonly createScriptURL: (address: string) => unknown }
}

const isChromes = typeof importScripts === "function"

/** The extension's policy wants addresses of scripts that a rule has let through: these are its own files. */
const own = isChromes && trustedTypes.createPolicy("parts", { createScriptURL: (address) => address })

const load = (name: keyof Parts): unknown => {
  const address = api.runtime.getURL(`${name}.js`)
  return own === false ? import(address) : importScripts?.(own.createScriptURL(address))
}

/** Loads a part, at most once while the worker lives. */
export const loadPart = async <Name extends keyof Parts>(name: Name): Promise<Parts[Name]> => {
  if (!(nameOf(name) in globalThis)) await load(name)
  return Reflect.get(globalThis, nameOf(name))
}

/** Lets Chrome keep the parts with the worker: later it can only import what was imported at the installation. */
export const keepParts = (): void => {
  self.addEventListener("install", () => {
    for (const name of NAMES) load(name)
  })
}
