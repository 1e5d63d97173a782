import { savingKey } from "../../src/shared/page/PageKey.ts"
import { unwrapped } from "./addresses.ts"

/** The identity of a page: the key by which the library recognizes a saved page. */
export const identityOf = (address: string): string => {
  const url = URL.parse(unwrapped(address))
  return url === null ? address : savingKey(url)
}
