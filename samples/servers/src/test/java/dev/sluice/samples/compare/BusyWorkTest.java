package dev.sluice.samples.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.JavaHome;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calibration in virtual machines that have just been started. */
class BusyWorkTest {

    /** A loop in Java costs ten and more times as much before it has been compiled. */
    private static final double MAX_RATIO = 2;

    static Stream<JavaHome> javas(TestInfo test) {
        return Depth.first(test, JavaHome.all().stream(), 1);
    }

    @ParameterizedTest
    @MethodSource("javas")
    void costsTheSameBeforeItHasBeenCompiled(JavaHome java) throws Exception {
        assertAlike(calibrated(java, "-Xmixed", 0), calibrated(java, "-Xint", 0));
    }

    @ParameterizedTest
    @MethodSource("javas")
    void costsTheSameHoweverBusyTheMachineIs(JavaHome java) throws Exception {
        int crowd = 8 * Runtime.getRuntime().availableProcessors();
        assertAlike(calibrated(java, "-Xmixed", 0), calibrated(java, "-Xmixed", crowd));
    }

    private static void assertAlike(double one, double other) {
        assertTrue(one < other * MAX_RATIO && other < one * MAX_RATIO,
                () -> one + " and " + other + " units per microsecond");
    }

    private static double calibrated(JavaHome java, String option, int busyThreads) throws Exception {
        try (RunningSample process = SampleCommand.of(Integer.toString(busyThreads)).on(java).withOption(option)
                .withMain(Calibration.class.getName()).start()) {
            assertEquals(0, process.awaitExit(), process.errors()::text);
            return Double.parseDouble(process.output().text().strip());
        }
    }

    /** A program that calibrates the busy work. */
    static final class Calibration {

        private Calibration() {
        }

        /**
         * Prints the units per microsecond.
         *
         * @param arguments how many threads keep the CPUs from it
         */
        public static void main(String[] arguments) throws IOException {
            for (int i = Integer.parseInt(arguments[0]); i > 0; i--) {
                Thread busy = new Thread(() -> {
                    while (true) {
                        Thread.onSpinWait();
                    }
                });
                busy.setDaemon(true);
                busy.start();
            }
            System.out.println(BusyWork.unitsPerMicro());
        }
    }
}
