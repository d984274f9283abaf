/* A fixed amount of work: products of matrices that fit in the cache, and passes over memory that do not. Times of a
 * machine are told in multiples of this one's. Do not change it: figures of different days would not compare. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 192, PRODUCTS = 60, LONG = 1 << 23, PASSES = 30 };

static double a[N][N], b[N][N], c[N][N];

int main(void)
{
    double *far = malloc(LONG * sizeof *far);
    if (!far)
        return 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = 1.0 / (1 + i + j);
            b[i][j] = i == j;
        }
    for (int k = 0; k < PRODUCTS; k++)
        for (int i = 0; i < N; i++)
            for (int l = 0; l < N; l++)
                for (int j = 0; j < N; j++)
                    c[i][j] += a[i][l] * b[l][j];
    for (int i = 0; i < LONG; i++)
        far[i] = i;
    for (int k = 0; k < PASSES; k++)
        for (int i = 1; i < LONG; i++)
            far[i] = 0.5 * (far[i] + far[i - 1]);
    printf("%g\n", c[1][2] + far[LONG - 1]);
    return 0;
}
