package dev.sluice.samples;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;

/**
 * What is run on a dozen setups that differ little for it takes turns: each test has some of them, and others than its
 * neighbours, always the same. All tests have all of them in the matrix, or with {@code -Dsluice.tests.setups=all}.
 */
public final class Turns {

    private static final boolean ALL = "all".equals(System.getProperty("sluice.tests.setups"));
    private static final int EACH = 2;

    private Turns() {
    }

    /**
     * {@return the setups of one test, as far from each other in the list as can be}
     *
     * @param test  whose turn it is
     * @param setups what it could be run on
     */
    public static <T> Stream<T> of(TestInfo test, Stream<T> setups) {
        List<T> all = setups.collect(Collectors.toList());
        if (ALL || all.size() <= EACH) {
            return all.stream();
        }
        int first = Math.floorMod((test.getTestClass().orElseThrow().getName()
                + test.getTestMethod().orElseThrow().getName()).hashCode(), all.size());
        return IntStream.range(0, EACH).mapToObj(i -> all.get((first + i * all.size() / EACH) % all.size()));
    }
}
