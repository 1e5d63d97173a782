import { afterAll, beforeAll, setDefaultTimeout } from "bun:test"
import { TEST_TIMEOUT } from "./browser.ts"
import { type StartedLibrary, startLibrary } from "./library.ts"

/** Starts a library before the tests of a file and stops it after them; `startLibrary` explains the arguments. */
export const useLibrary = (...given: Parameters<typeof startLibrary>): (() => StartedLibrary) => {
  setDefaultTimeout(TEST_TIMEOUT)
  let library: StartedLibrary | undefined
  beforeAll(async () => {
    library = await startLibrary(...given)
  })
  afterAll(() => library?.stop())
  return () => {
    if (library === undefined) throw new Error("The library starts before the first test, not earlier.")
    return library
  }
}
