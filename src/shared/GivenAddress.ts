import { grouped } from "./Format.ts"
import { MAX_ADDRESS } from "./Limits.ts"

const blanksBefore = /^[\s\p{Cf}[\p{DI}--\ufe0f]]+/v
const blanksAfter = /(?<![\s\p{Cf}[\p{DI}--\ufe0f]])[\s\p{Cf}[\p{DI}--\ufe0f]]+$/v

export const trimmedAddress = (text: string): string =>
  text.replace(blanksBefore, "").replace(blanksAfter, "")

export const isTooLong = (address: string): boolean => trimmedAddress(address).length > MAX_ADDRESS

export const ADDRESS_TOO_LONG = `The address is longer than ${grouped(MAX_ADDRESS)} characters.`
