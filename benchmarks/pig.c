/* Value iteration for Pig: P[i][j][k] is the probability that the player to move wins with i points of its own, j of
 * the opponent's and k in the pot. Sweeps in place, in array order (or against it if BACKWARD is 1), until no value
 * of a sweep changes by as much as the tolerance; that does not prove the error to be as small. Prints JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef BACKWARD
#define BACKWARD 0
#endif
#define MOST 200

static double P[MOST][MOST][MOST];

static double win(int goal, int i, int j, int k) {
    return i + k >= goal ? 1.0 : j >= goal ? 0.0 : P[i][j][k];
}

static double backup(int goal, int i, int j, int k) {
    double roll = 1.0 - win(goal, j, i, 0);
    for (int face = 2; face <= 6; face++)
        roll += win(goal, i, j, k + face);
    roll /= 6.0;
    double hold = 1.0 - win(goal, j, i + k, 0);
    return k > 0 && hold > roll ? hold : roll;
}

static double sweep(int goal) {
    double most = 0.0;
    for (int a = 0; a < goal; a++)
        for (int b = 0; b < goal; b++) {
            int i = BACKWARD ? goal - 1 - a : a, j = BACKWARD ? goal - 1 - b : b;
            for (int c = 0; c < goal - i; c++) {
                int k = BACKWARD ? goal - i - 1 - c : c;
                double value = backup(goal, i, j, k), change = fabs(value - P[i][j][k]);
                if (change > most)
                    most = change;
                P[i][j][k] = value;
            }
        }
    return most;
}

int main(int argc, char **argv) {
    if (argc != 3 || atoi(argv[1]) < 1 || atoi(argv[1]) > MOST) {
        fprintf(stderr, "usage: pig GOAL TOLERANCE, the goal being at most %d\n", MOST);
        return 2;
    }
    int goal = atoi(argv[1]), sweeps = 0;
    double tolerance = atof(argv[2]), change;
    struct timespec began, ended;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &began);
    do {
        change = sweep(goal);
        sweeps++;
    } while (change >= tolerance);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
    double seconds = (ended.tv_sec - began.tv_sec) + 1e-9 * (ended.tv_nsec - began.tv_nsec);
    printf("{\"seconds\": %.9f, \"sweeps\": %d, \"value\": %.15f}\n", seconds, sweeps, P[0][0][0]);
    return 0;
}
