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
