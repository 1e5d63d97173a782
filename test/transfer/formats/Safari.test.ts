import { describe, expect, test } from "bun:test"
import { safari } from "../../../src/transfer/formats/Browsers.ts"
import { fileOf } from "../support/files.ts"

describe("safari", () => {
  test("leaves other property lists alone", () =>
    expect(safari.recognizes(fileOf("<plist><dict><key>CFBundleName</key></dict></plist>"))).toBe(false))
})
