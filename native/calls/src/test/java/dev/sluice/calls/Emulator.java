package dev.sluice.calls;

import static org.junit.jupiter.api.Assumptions.abort;

import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;

/**
 * The program that runs this JVM, which is one of another processor, if there is such a program: qemu-user. What it
 * does differently from the kernel is named beside each test that notices.
 */
public final class Emulator {

    /** System property that names the program. */
    public static final String PROPERTY = "sluice.emulator";

    private static final String PROGRAM = System.getProperty(PROPERTY, "");
    /** How many times slower everything may be. */
    private static final int SLOWNESS = 10;

    private Emulator() {
    }

    /** {@return what a command that runs this JVM's {@code java} begins with} */
    static List<String> command() {
        return PROGRAM.isEmpty() ? List.of() : List.of(PROGRAM);
    }

    /** {@return how long to wait for what must happen, if it is this on the busiest machine} */
    public static Duration patience(Duration limit) {
        return PROGRAM.isEmpty() ? limit : limit.multipliedBy(SLOWNESS);
    }

    /** Ends the test here if it runs under the emulator, because of what that does instead. */
    public static void deviates(String how) {
        if (!PROGRAM.isEmpty()) {
            abort("qemu-user " + how);
        }
    }

    /** As above, where the emulator does so only for a machine of the other byte order. */
    public static void deviatesIfBigEndian(String how) {
        if (ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN) {
            deviates(how);
        }
    }
}
