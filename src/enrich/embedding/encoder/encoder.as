/**
 * The layers of the encoder, in AssemblyScript with SIMD, over an imported memory that `Layers.ts` lays out. Its results are
 * the same on every machine: products of codes are integers, everything else is rounded in a fixed order. The reference in
 * the tests repeats it in plain TypeScript.
 */

const WIDTH: i32 = 384
const INNER: i32 = 1536
const HEADS: i32 = 12
const HEAD: i32 = 32
const EPSILON: f64 = 1e-12
/** The largest code of an activation: 1,536 products with a weight's 127 stay below 2^31. */
const LARGEST: f64 = 8191
/** 1 / sqrt(32), rounded to float32. */
const ATTENTION_SCALE: f32 = 0.17677669
/** The table of GELU from -8 to 8. */
const GELU_REACH: f64 = 8
const GELU_STEPS: f64 = 256

let layers: i32 = 0
let weights: usize = 0
let gelu: usize = 0
/** Float32 rows, one a token: the states, then what a layer makes of them. */
let states: usize = 0
let projected: usize = 0
let context: usize = 0
let inner: usize = 0
let added: usize = 0
/** Int16 codes of activations, with a float64 scale a token. */
let codes: usize = 0
let codeScales: usize = 0
let shares: usize = 0

/**
 * Sets the number of layers, the most tokens, and the addresses of the weights, the table of GELU, and the work space, whose
 * first rows are the tokens' states.
 */
export function attach(count: i32, tokens: i32, matrices: usize, table: usize, work: usize): void {
  layers = count
  weights = matrices
  gelu = table
  states = work
  projected = states + <usize>(tokens * WIDTH * 4)
  context = projected + <usize>(tokens * 3 * WIDTH * 4)
  inner = context + <usize>(tokens * WIDTH * 4)
  added = inner + <usize>(tokens * INNER * 4)
  codes = added + <usize>(tokens * WIDTH * 4)
  codeScales = codes + <usize>(tokens * INNER * 2)
  shares = codeScales + <usize>(tokens * 8)
}

/** Replaces each row by its layer norm, after adding the row of `more` to it unless `more` is 0. */
function normalize(more: usize, scale: usize, bias: usize, count: i32): void {
  for (let token = 0; token < count; token++) {
    const row = states + <usize>(token * WIDTH * 4)
    const other = more + <usize>(token * WIDTH * 4)
    let sum: f64 = 0
    for (let i: usize = 0; i < <usize>(WIDTH * 4); i += 4) {
      if (more != 0) store<f32>(row + i, load<f32>(row + i) + load<f32>(other + i))
      sum += <f64>load<f32>(row + i)
    }
    const mean = sum / <f64>WIDTH
    let squares: f64 = 0
    for (let i: usize = 0; i < <usize>(WIDTH * 4); i += 4) {
      const difference = <f64>load<f32>(row + i) - mean
      squares += difference * difference
    }
    const factor = 1 / sqrt<f64>(squares / <f64>WIDTH + EPSILON)
    for (let i: usize = 0; i < <usize>(WIDTH * 4); i += 4) {
      const value = (<f64>load<f32>(row + i) - mean) * factor
      store<f32>(row + i, <f32>(value * <f64>load<f32>(scale + i) + <f64>load<f32>(bias + i)))
    }
  }
}

/** Rounds each row of `width` values to codes. */
function encode(from: usize, width: i32, count: i32): void {
  for (let token = 0; token < count; token++) {
    const row = from + <usize>(token * width * 4)
    const to = codes + <usize>(token * width * 2)
    let most: f32 = 0
    for (let i: usize = 0; i < <usize>width; i++) most = max<f32>(most, abs<f32>(load<f32>(row + 4 * i)))
    const factor: f64 = most == 0 ? 0 : LARGEST / <f64>most
    for (let i: usize = 0; i < <usize>width; i++)
      store<i16>(to + 2 * i, <i16>(<i32>floor<f64>(<f64>load<f32>(row + 4 * i) * factor + 0.5)))
    store<f64>(codeScales + <usize>(8 * token), <f64>most / LARGEST)
  }
}

@inline
function sum(v: v128): f64 {
  return <f64>(
    (i32x4.extract_lane(v, 0) + i32x4.extract_lane(v, 1) + i32x4.extract_lane(v, 2) + i32x4.extract_lane(v, 3))
  )
}

@inline
function put(to: usize, token: i32, rows: i32, row: i32, product: v128, scale: usize, bias: usize): void {
  const factor = <f64>load<f32>(scale + <usize>(4 * row)) * load<f64>(codeScales + <usize>(8 * token))
  const value = sum(product) * factor + <f64>load<f32>(bias + <usize>(4 * row))
  store<f32>(to + <usize>(4 * (token * rows + row)), <f32>value)
}

@inline
function dot(sums: v128, weight: v128, at: usize): v128 {
  return i32x4.add(sums, i32x4.dot_i16x8_s(weight, v128.load(at)))
}

/**
 * Multiplies the codes of the tokens with a matrix of `rows` rows of int8 codes, four tokens and two rows at a time; eight
 * tokens, which the nearest cache holds, pass over all rows first. The rows after the last token are computed too.
 */
function multiply(matrix: usize, width: i32, rows: i32, scale: usize, bias: usize, to: usize, count: i32): void {
  const bytes = <usize>(width * 2)
  for (let block = 0; block < count; block += 8)
    for (let row = 0; row < rows; row += 2) {
      const first = matrix + <usize>(row * width)
      const second = first + <usize>width
      for (let token = block; token < min(block + 8, count); token += 4) {
        let at = codes + <usize>token * bytes
        let a0 = i32x4.splat(0)
        let a1 = i32x4.splat(0)
        let a2 = i32x4.splat(0)
        let a3 = i32x4.splat(0)
        let b0 = i32x4.splat(0)
        let b1 = i32x4.splat(0)
        let b2 = i32x4.splat(0)
        let b3 = i32x4.splat(0)
        for (let k: usize = 0; k < <usize>width; k += 8) {
          const one = v128.load_ext<i8>(first + k)
          const two = v128.load_ext<i8>(second + k)
          a0 = dot(a0, one, at)
          b0 = dot(b0, two, at)
          a1 = dot(a1, one, at + bytes)
          b1 = dot(b1, two, at + bytes)
          a2 = dot(a2, one, at + 2 * bytes)
          b2 = dot(b2, two, at + 2 * bytes)
          a3 = dot(a3, one, at + 3 * bytes)
          b3 = dot(b3, two, at + 3 * bytes)
          at += 16
        }
        put(to, token, rows, row, a0, scale, bias)
        put(to, token, rows, row + 1, b0, scale, bias)
        put(to, token + 1, rows, row, a1, scale, bias)
        put(to, token + 1, rows, row + 1, b1, scale, bias)
        put(to, token + 2, rows, row, a2, scale, bias)
        put(to, token + 2, rows, row + 1, b2, scale, bias)
        put(to, token + 3, rows, row, a3, scale, bias)
        put(to, token + 3, rows, row + 1, b3, scale, bias)
      }
    }
}

/** e^x for x <= 0: a Taylor series on the remainder of x after the nearest power of two. */
function exponential(x: f64): f64 {
  if (x < -40) return 0
  const power = floor<f64>(x * 1.4426950408889634 + 0.5)
  const r = x - power * 0.6931471805599453
  let value: f64 = 1
  for (let i = 10; i > 0; i--) value = 1 + (value * r) / <f64>i
  return value * reinterpret<f64>((<i64>power + 1023) << 52)
}

@inline
function at(row: usize, chunk: i32): v128 {
  return v128.load(row + <usize>(16 * chunk))
}

/** Writes the context of every token and head: the values of all tokens, by how well their keys fit its query. */
function attend(count: i32): void {
  const bytes: usize = 3 * WIDTH * 4
  for (let head = 0; head < HEADS; head++) {
    const queries = projected + <usize>(head * HEAD * 4)
    const keys = queries + WIDTH * 4
    const values = keys + WIDTH * 4
    for (let token = 0; token < count; token++) {
      const query = queries + <usize>token * bytes
      let most: f32 = -Infinity
      for (let other = 0; other < count; other++) {
        const key = keys + <usize>other * bytes
        let lanes = f32x4.mul(at(query, 0), at(key, 0))
        for (let chunk = 1; chunk < 8; chunk++)
          lanes = f32x4.add(lanes, f32x4.mul(at(query, chunk), at(key, chunk)))
        const fit =
          (f32x4.extract_lane(lanes, 0) +
            f32x4.extract_lane(lanes, 1) +
            (f32x4.extract_lane(lanes, 2) + f32x4.extract_lane(lanes, 3))) *
          ATTENTION_SCALE
        store<f32>(shares + <usize>(4 * other), fit)
        most = max<f32>(most, fit)
      }
      let total: f64 = 0
      for (let other = 0; other < count; other++) {
        const share = <f32>exponential(<f64>load<f32>(shares + <usize>(4 * other)) - <f64>most)
        store<f32>(shares + <usize>(4 * other), share)
        total += <f64>share
      }
      const factor = 1 / total
      let c0 = f32x4.splat(0)
      let c1 = f32x4.splat(0)
      let c2 = f32x4.splat(0)
      let c3 = f32x4.splat(0)
      let c4 = f32x4.splat(0)
      let c5 = f32x4.splat(0)
      let c6 = f32x4.splat(0)
      let c7 = f32x4.splat(0)
      for (let other = 0; other < count; other++) {
        const value = values + <usize>other * bytes
        const share = f32x4.splat(<f32>(<f64>load<f32>(shares + <usize>(4 * other)) * factor))
        c0 = f32x4.add(c0, f32x4.mul(share, at(value, 0)))
        c1 = f32x4.add(c1, f32x4.mul(share, at(value, 1)))
        c2 = f32x4.add(c2, f32x4.mul(share, at(value, 2)))
        c3 = f32x4.add(c3, f32x4.mul(share, at(value, 3)))
        c4 = f32x4.add(c4, f32x4.mul(share, at(value, 4)))
        c5 = f32x4.add(c5, f32x4.mul(share, at(value, 5)))
        c6 = f32x4.add(c6, f32x4.mul(share, at(value, 6)))
        c7 = f32x4.add(c7, f32x4.mul(share, at(value, 7)))
      }
      const to = context + <usize>(4 * (token * WIDTH + head * HEAD))
      v128.store(to, c0)
      v128.store(to + 16, c1)
      v128.store(to + 32, c2)
      v128.store(to + 48, c3)
      v128.store(to + 64, c4)
      v128.store(to + 80, c5)
      v128.store(to + 96, c6)
      v128.store(to + 112, c7)
    }
  }
}

/** GELU of every inner value, between the steps of the table. */
function activate(count: i32): void {
  const end = inner + <usize>(4 * count * INNER)
  for (let place = inner; place < end; place += 4) {
    const x = <f64>load<f32>(place)
    if (x >= GELU_REACH) continue
    if (!(x > -GELU_REACH)) {
      store<f32>(place, 0)
      continue
    }
    const position = (x + GELU_REACH) * GELU_STEPS
    const step = floor<f64>(position)
    const entry = gelu + 4 * <usize>step
    const below = <f64>load<f32>(entry)
    store<f32>(place, <f32>(below + (<f64>load<f32>(entry + 4) - below) * (position - step)))
  }
}

/** Replaces the states of `count` tokens, the sums of their embeddings, by those after the last layer. */
export function run(count: i32): void {
  let at = weights
  normalize(0, at, at + WIDTH * 4, count)
  at += 2 * WIDTH * 4
  for (let layer = 0; layer < layers; layer++) {
    const attention = at
    const output = attention + 3 * WIDTH * WIDTH
    const expansion = output + WIDTH * WIDTH
    const contraction = expansion + INNER * WIDTH
    const scales = contraction + INNER * WIDTH
    const biases = scales + (5 * WIDTH + INNER) * 4
    const norms = biases + (5 * WIDTH + INNER) * 4
    const ofOutput: usize = 3 * WIDTH * 4
    const ofExpansion: usize = 4 * WIDTH * 4
    const ofContraction: usize = (4 * WIDTH + INNER) * 4
    encode(states, WIDTH, count)
    multiply(attention, WIDTH, 3 * WIDTH, scales, biases, projected, count)
    attend(count)
    encode(context, WIDTH, count)
    multiply(output, WIDTH, WIDTH, scales + ofOutput, biases + ofOutput, added, count)
    normalize(added, norms, norms + WIDTH * 4, count)
    encode(states, WIDTH, count)
    multiply(expansion, WIDTH, INNER, scales + ofExpansion, biases + ofExpansion, inner, count)
    activate(count)
    encode(inner, INNER, count)
    multiply(contraction, INNER, WIDTH, scales + ofContraction, biases + ofContraction, added, count)
    normalize(added, norms + 2 * WIDTH * 4, norms + 3 * WIDTH * 4, count)
    at = norms + 4 * WIDTH * 4
  }
}
