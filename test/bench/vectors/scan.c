/* What one core does with the same int8 rows in C: gcc -O3 -march=native -shared -fPIC. */
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

/* Both forms give dot(a, b) of `d` int8 codes, d a multiple of 16; `sum` is the sum of b. */
#ifdef __AVX512VNNI__
const char *kind(void) { return "AVX-512 VNNI"; }
static inline int32_t dot(const int8_t *a, const int8_t *b, int d, int32_t sum) {
  const __m512i flip = _mm512_set1_epi8((char)0x80);
  __m512i x = _mm512_setzero_si512();
  int k = 0;
  for (; k + 64 <= d; k += 64)
    x = _mm512_dpbusd_epi32(x, _mm512_xor_si512(_mm512_loadu_si512(a + k), flip), _mm512_loadu_si512(b + k));
  if (k < d) {
    /* The masked bytes of b are 0, so whatever a's give is lost. */
    __mmask64 m = (1ULL << (d - k)) - 1;
    x = _mm512_dpbusd_epi32(x, _mm512_xor_si512(_mm512_maskz_loadu_epi8(m, a + k), flip),
                            _mm512_maskz_loadu_epi8(m, b + k));
  }
  return _mm512_reduce_add_epi32(x) - 128 * sum;
}
#elif defined(__AVX2__)
const char *kind(void) { return "AVX2"; }
static inline int32_t dot(const int8_t *a, const int8_t *b, int d, int32_t sum) {
  (void)sum;
  __m256i x = _mm256_setzero_si256();
  for (int k = 0; k < d; k += 16)
    x = _mm256_add_epi32(x, _mm256_madd_epi16(_mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(a + k))),
                                              _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(b + k)))));
  __m128i y = _mm_add_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
  y = _mm_add_epi32(y, _mm_shuffle_epi32(y, 0x4e));
  return _mm_cvtsi128_si32(_mm_add_epi32(y, _mm_shuffle_epi32(y, 0xb1)));
}
#else
const char *kind(void) { return "as the compiler vectorises it"; }
static inline int32_t dot(const int8_t *a, const int8_t *b, int d, int32_t sum) {
  (void)sum;
  int32_t x = 0;
  for (int k = 0; k < d; k++) x += (int32_t)a[k] * b[k];
  return x;
}
#endif

static inline int32_t total(const int8_t *a, int d) {
  int32_t x = 0;
  for (int k = 0; k < d; k++) x += a[k];
  return x;
}

/* The best k rows into `slots` and `scores`, best first. */
static inline void keep(float s, int i, int k, int *n, int32_t *slots, float *scores) {
  int at = *n < k ? (*n)++ : k - 1;
  for (; at > 0 && scores[at - 1] < s; at--) {
    scores[at] = scores[at - 1];
    slots[at] = slots[at - 1];
  }
  scores[at] = s;
  slots[at] = i;
}

void nearest(const int8_t *rows, const float *scales, int n, int d, const int8_t *query, int k, int32_t *slots,
             float *scores) {
  int32_t sum = total(query, d);
  int kept = 0;
  for (int i = 0; i < n; i++) {
    float s = (float)dot(rows + (size_t)i * d, query, d, sum) * scales[i];
    if (kept < k || s > scores[k - 1]) keep(s, i, k, &kept, slots, scores);
  }
}

/* The same in four streams a quarter of the rows apart. */
void nearest_streams(const int8_t *rows, const float *scales, int n, int d, const int8_t *query, int k,
                     int32_t *slots, float *scores) {
  int32_t sum = total(query, d);
  int kept = 0, quarter = n / 4;
  for (int i = 0; i < quarter; i++)
    for (int s = 0; s < 4; s++) {
      int at = i + s * quarter;
      float score = (float)dot(rows + (size_t)at * d, query, d, sum) * scales[at];
      if (kept < k || score > scores[k - 1]) keep(score, at, k, &kept, slots, scores);
    }
}

/* How many pairs reach the threshold: every product in full, in blocks that stay in cache. */
int64_t pairs(const int8_t *rows, const float *scales, int n, int d, float threshold) {
  int64_t found = 0;
  for (int i0 = 0; i0 < n; i0 += 256)
    for (int j = i0 + 1; j < n; j++) {
      int32_t sum = total(rows + (size_t)j * d, d);
      for (int i = i0; i < i0 + 256 && i < j; i++)
        found += (float)dot(rows + (size_t)i * d, rows + (size_t)j * d, d, sum) * scales[i] * scales[j] >= threshold;
    }
  return found;
}

#ifdef __AVX512VNNI__
/* The same in register tiles of four rows by four; d a multiple of 64, n of 4. */
int64_t pairs_tiled(const int8_t *rows, const float *scales, int n, int d, float threshold) {
  const __m512i flip = _mm512_set1_epi8((char)0x80);
  int64_t found = 0;
  for (int i0 = 0; i0 < n; i0 += 256)
    for (int j = i0; j < n; j += 4) {
      const int8_t *b = rows + (size_t)j * d;
      int32_t sums[4];
      for (int y = 0; y < 4; y++) sums[y] = 128 * total(b + (size_t)y * d, d);
      for (int i = i0; i < i0 + 256 && i <= j; i += 4) {
        const int8_t *a = rows + (size_t)i * d;
        __m512i t[4][4];
        for (int x = 0; x < 4; x++)
          for (int y = 0; y < 4; y++) t[x][y] = _mm512_setzero_si512();
        for (int k = 0; k < d; k += 64) {
          __m512i v[4];
          for (int y = 0; y < 4; y++) v[y] = _mm512_loadu_si512(b + (size_t)y * d + k);
          for (int x = 0; x < 4; x++) {
            __m512i u = _mm512_xor_si512(_mm512_loadu_si512(a + (size_t)x * d + k), flip);
            for (int y = 0; y < 4; y++) t[x][y] = _mm512_dpbusd_epi32(t[x][y], u, v[y]);
          }
        }
        for (int x = 0; x < 4; x++)
          for (int y = 0; y < 4; y++)
            found += i + x < j + y && (float)(_mm512_reduce_add_epi32(t[x][y]) - sums[y]) * scales[i + x] *
                                              scales[j + y] >= threshold;
      }
    }
  return found;
}
#else
int64_t pairs_tiled(const int8_t *rows, const float *scales, int n, int d, float threshold) {
  return pairs(rows, scales, n, d, threshold);
}
#endif
