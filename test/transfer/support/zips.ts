import { crc32, deflateRawSync } from "node:zlib"

/** A file to put into a zip; what is missing is told truly. */
export interface Packed {
  readonly name: string
  readonly data: string | Uint8Array
  /** Whether it is deflated; stored otherwise. */
  readonly deflated?: boolean
  /** The unpacked size that the zip says. */
  readonly size?: number
  readonly checksum?: number
  readonly method?: number
  readonly flags?: number
  /** The index of the file whose data it claims as its own. */
  readonly shares?: number
  /** Whether its sizes and its place stand in the Zip64 field. */
  readonly wide?: boolean
}

const bytesOf = (data: string | Uint8Array) =>
  typeof data === "string" ? Buffer.from(data) : Buffer.from(data)

const u16 = (...values: ReadonlyArray<number>) => {
  const out = Buffer.alloc(values.length * 2)
  for (const [at, value] of values.entries()) out.writeUInt16LE(value, at * 2)
  return out
}
const u32 = (...values: ReadonlyArray<number>) => {
  const out = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) out.writeUInt32LE(value >>> 0, at * 4)
  return out
}
const u64 = (...values: ReadonlyArray<number>) => Buffer.concat(values.map((value) => u32(value, 0)))

/** Writes a zip byte by byte, so that it can be wrong; `end` replaces the number of files and where the directory is. */
export const zipOf = (
  files: ReadonlyArray<Packed>,
  end: { readonly count?: number; readonly wide?: boolean } = {}
): Uint8Array => {
  const body: Array<Buffer> = []
  const central: Array<Buffer> = []
  const offsets: Array<number> = []
  let at = 0
  for (const { name, data, deflated = false, shares, wide = false, ...said } of files) {
    const whole = bytesOf(data)
    const packed = deflated ? deflateRawSync(whole) : whole
    const fields = [
      u16(20, said.flags ?? 0, said.method ?? (deflated ? 8 : 0), 0, 0),
      u32(said.checksum ?? crc32(whole))
    ]
    const size = said.size ?? whole.length
    const path = Buffer.from(name)
    const local = Buffer.concat([
      u32(0x04034b50),
      ...fields,
      u32(packed.length, size),
      u16(path.length, 0),
      path
    ])
    const from = shares === undefined ? at : (offsets[shares] ?? 0)
    offsets.push(from)
    const extra = wide ? Buffer.concat([u16(1, 24), u64(size, packed.length, from)]) : Buffer.alloc(0)
    central.push(
      Buffer.concat([
        u32(0x02014b50),
        u16(20),
        ...fields,
        wide ? u32(0xffffffff, 0xffffffff) : u32(packed.length, size),
        u16(path.length, extra.length, 0, 0, 0),
        u32(0, wide ? 0xffffffff : from),
        path,
        extra
      ])
    )
    if (shares === undefined) {
      body.push(local, packed)
      at += local.length + packed.length
    }
  }
  const directory = Buffer.concat(central)
  const count = end.count ?? files.length
  const end64 = Buffer.concat([
    u32(0x06064b50),
    u64(44),
    u16(45, 45),
    u32(0, 0),
    u64(count, count, directory.length, at),
    u32(0x07064b50, 0),
    u64(at + directory.length),
    u32(1)
  ])
  return Buffer.concat([
    ...body,
    directory,
    ...(end.wide === true ? [end64] : []),
    u32(0x06054b50),
    u16(0, 0, ...(end.wide === true ? [0xffff, 0xffff] : [count, count])),
    ...(end.wide === true ? [u32(directory.length, 0xffffffff)] : [u32(directory.length, at)]),
    u16(0)
  ])
}
