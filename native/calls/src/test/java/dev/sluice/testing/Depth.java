package dev.sluice.testing;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;

/**
 * How deep a run of the tests goes: how often a test repeats itself, and how many of several alike values it runs on.
 * Each profile of the build sets one in {@code sluice.tests.depth}.
 */
public enum Depth {

    /** For the loop of one change: {@code -Pquick}. */
    QUICK,

    /** The ordinary build. */
    VERIFY,

    /** Every combination, repeated as in the ordinary build: {@code -Pmatrix}. */
    MATRIX,

    /** The races, repeated as often as rare ones need: {@code -Pstress}. */
    STRESS,

    /** Random models, faults, fuzzing, hours of load: {@code -Pcampaign}. */
    CAMPAIGN;

    /** The JUnit tag of a test that runs on the second binding and on Java 17, too, as these can break it. */
    public static final String BINDING = "binding";

    /** The JUnit tag of a test that {@code -Pquick} runs: most mistakes make it fail within 0.3 s. */
    public static final String IN_QUICK = "quick";

    /** The JUnit tag of a test that only {@code -Pmatrix} runs. */
    public static final String IN_MATRIX = "matrix";

    /** The JUnit tag of a test that only {@code -Pstress} runs. */
    public static final String IN_STRESS = "stress";

    /** The JUnit tag of a test of the ordinary build that {@code -Pstress} repeats more often. */
    public static final String REPEATED = "repeated";

    /**
     * The JUnit tag of a test that needs the optimizing compiler, C2: what must not allocate does so until that has
     * compiled it, and some races show in the fastest code only. What is repeated needs it, too. Most others run with
     * C1 alone, as C2 takes longer for their code than the code itself.
     */
    public static final String OPTIMIZED = "optimized";

    /**
     * The JUnit tag of the parts of the contracts without which nothing works: opening, registration, readiness, data,
     * cancellation, close, and that nothing leaks. The ordinary build runs these in a JVM on Windows.
     */
    public static final String CORE = "core";

    /**
     * The JUnit tag of the parts of the contracts that accept, connect, send datagrams, transmit files, read and write
     * them, provide buffers, and fail. The ordinary build runs these in a JVM on Windows, too, with the FFM binding
     * alone.
     */
    public static final String TRANSFER = "transfer";

    /** The JUnit tag of a test of no mechanism that the ordinary build runs in a JVM on Windows, too. */
    public static final String ON_WINDOWS = "on-windows";

    private static final Depth CURRENT =
            valueOf(System.getProperty("sluice.tests.depth", VERIFY.name()).toUpperCase(Locale.ROOT));

    /** {@return the depth of this run} */
    public static Depth current() {
        return CURRENT;
    }

    /**
     * Returns the number of repetitions.
     *
     * @param quick  the number in {@code -Pquick}
     * @param verify the number in the ordinary build and its combinations
     * @param stress the number in {@code -Pstress}
     * @return one of them
     */
    public static int times(int quick, int verify, int stress) {
        return times(quick, verify, verify, stress);
    }

    /**
     * Returns the number of repetitions of a test that an ordinary build shortens.
     *
     * @param quick  the number in {@code -Pquick}
     * @param verify the number in the ordinary build
     * @param matrix the number in {@code -Pmatrix}
     * @param stress the number in {@code -Pstress}
     * @return one of them
     */
    public static int times(int quick, int verify, int matrix, int stress) {
        return switch (CURRENT) {
            case QUICK -> quick;
            case VERIFY -> verify;
            case MATRIX, CAMPAIGN -> matrix;
            case STRESS -> stress;
        };
    }

    /**
     * Returns some of the values that a test could run on, as far from each other in the list as possible: always the
     * same for one test, others for its neighbours. Returns one in {@code -Pquick}, and all beyond the ordinary build.
     *
     * @param test    the test
     * @param values  the values, of which this test can hardly tell one from another
     * @param howMany the number of values in the ordinary build
     */
    public static <T> Stream<T> some(TestInfo test, Stream<T> values, int howMany) {
        List<T> all = values.collect(Collectors.toList());
        int taken = CURRENT == QUICK ? 1 : CURRENT == VERIFY ? howMany : all.size();
        if (taken >= all.size()) {
            return all.stream();
        }
        String name = test.getTestClass().orElseThrow().getName()
                + test.getTestMethod().map(method -> method.getName()).orElse("");
        int first = Math.floorMod(name.hashCode(), all.size());
        Ledger.current().add("left-out", test.getTestClass().orElseThrow().getName(), all.size() - taken);
        return IntStream.range(0, taken).mapToObj(i -> all.get((first + i * all.size() / taken) % all.size()));
    }

    /**
     * Returns the first of several values in the ordinary build, and all of them beyond it.
     *
     * @param test    the test
     * @param values  the values, best first
     * @param howMany the number of values in the ordinary build; {@code -Pquick} takes one
     */
    public static <T> Stream<T> first(TestInfo test, Stream<T> values, int howMany) {
        List<T> all = values.collect(Collectors.toList());
        int taken = Math.min(CURRENT == QUICK ? 1 : CURRENT == VERIFY ? howMany : all.size(), all.size());
        if (taken < all.size()) {
            Ledger.current().add("left-out", test.getTestClass().orElseThrow().getName(), all.size() - taken);
        }
        return all.stream().limit(taken);
    }
}
