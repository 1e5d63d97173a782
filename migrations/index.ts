import library from "./0001_library.ts"

/** Every migration by name, imported rather than read from disk so that one binary carries them all. */
export const migrations = {
  "0001_library": library
}
