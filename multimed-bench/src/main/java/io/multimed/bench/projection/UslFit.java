package io.multimed.bench.projection;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Least squares for the Universal Scalability Law.
 *
 * <p>It is written here rather than taken from a library, since it is short. With y = n / throughput the law is linear in three
 * coefficients, so that a fit is the solution of at most three equations. None may be negative, which leaves four cases to try.
 * Residuals are relative, so that an error of a per cent counts the same at every number of cores.
 *
 * @param fits one where the numbers of cores determine all three coefficients; the two extremes, all contention and all
 *     coherence, where there are but two numbers
 */
record UslFit(List<Usl> fits) {
    private static final int COEFFICIENTS = 3;
    private static final double SINGULAR = 1e-12;

    UslFit {
        fits = List.copyOf(fits);
    }

    boolean determined() {
        return fits.size() == 1;
    }

    /**
     * Fits the law.
     *
     * @param throughputs by number of cores, at least two
     */
    static UslFit of(SortedMap<Integer, Double> throughputs) {
        if (throughputs.size() < 2) {
            throw new IllegalArgumentException("one number of cores says nothing about another one");
        }
        if (throughputs.size() == 2) {
            return new UslFit(List.of(best(throughputs, List.of(1)), best(throughputs, List.of(2))));
        }
        return new UslFit(List.of(best(throughputs, List.of(1, 2))));
    }

    /** @param free coefficients besides the first that may differ from 0: 1 for contention, 2 for coherence */
    private static Usl best(Map<Integer, Double> throughputs, List<Integer> free) {
        List<double[]> candidates = new ArrayList<>();
        for (int subset = 0; subset < 1 << free.size(); subset++) {
            List<Integer> used = new ArrayList<>(List.of(0));
            for (int i = 0; i < free.size(); i++) {
                if ((subset & 1 << i) != 0) {
                    used.add(free.get(i));
                }
            }
            double[] solution = solve(throughputs, used);
            if (solution[0] > 0 && solution[1] >= 0 && solution[2] >= 0) {
                candidates.add(solution);
            }
        }
        double[] least = candidates.stream()
                .min(Comparator.comparingDouble(solution -> residual(throughputs, solution)))
                .orElseThrow();
        return new Usl(1 / least[0], least[1] / least[0], least[2] / least[0]);
    }

    private static double[] features(int cores) {
        return new double[] {1, cores - 1.0, (double) cores * (cores - 1)};
    }

    private static double residual(Map<Integer, Double> throughputs, double[] solution) {
        double sum = 0;
        for (Map.Entry<Integer, Double> point : throughputs.entrySet()) {
            double[] features = features(point.getKey());
            double model = 0;
            for (int i = 0; i < COEFFICIENTS; i++) {
                model += solution[i] * features[i];
            }
            double relative = model * point.getValue() / point.getKey() - 1;
            sum += relative * relative;
        }
        return sum;
    }

    /** Solves the normal equations; the coefficients that are not used stay 0. */
    private static double[] solve(Map<Integer, Double> throughputs, List<Integer> used) {
        int size = used.size();
        double[][] matrix = new double[size][size + 1];
        throughputs.forEach((cores, throughput) -> {
            double[] features = features(cores);
            double scale = throughput / cores;
            for (int row = 0; row < size; row++) {
                double left = features[used.get(row)] * scale;
                for (int column = 0; column < size; column++) {
                    matrix[row][column] += left * features[used.get(column)] * scale;
                }
                matrix[row][size] += left;
            }
        });
        return eliminated(matrix, used);
    }

    /**
     * Solves the matrix by Gauss-Jordan elimination. Where there is no unique solution, the first coefficient is negative, so
     * that the solution is not chosen.
     */
    private static double[] eliminated(double[][] matrix, List<Integer> used) {
        int size = used.size();
        double[] solution = new double[COEFFICIENTS];
        for (int pivot = 0; pivot < size; pivot++) {
            int largest = pivot;
            for (int row = pivot + 1; row < size; row++) {
                largest = Math.abs(matrix[row][pivot]) > Math.abs(matrix[largest][pivot]) ? row : largest;
            }
            double[] swapped = matrix[pivot];
            matrix[pivot] = matrix[largest];
            matrix[largest] = swapped;
            if (Math.abs(matrix[pivot][pivot]) < SINGULAR * Math.abs(matrix[0][0])) {
                solution[0] = -1;
                return solution;
            }
            for (int row = 0; row < size; row++) {
                double factor = row == pivot ? 0 : matrix[row][pivot] / matrix[pivot][pivot];
                for (int column = pivot; column <= size && factor != 0; column++) {
                    matrix[row][column] -= factor * matrix[pivot][column];
                }
            }
        }
        for (int row = 0; row < size; row++) {
            solution[used.get(row)] = matrix[row][size] / matrix[row][row];
        }
        return solution;
    }
}
